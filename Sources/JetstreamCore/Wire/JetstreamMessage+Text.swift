internal import Foundation
internal import HeliumJSON

extension JetstreamMessage {
    /// The approximate length of the message's text.
    var expectedBytes: Int {
        switch self {
        case .scopeState(let message): 256 + 192 * message.fragments.count
        case .scopeSync(let message): 256 + 192 * message.fragments.count
        default: 256
        }
    }

    /// Writes the message as JSON (Docs/Protocols/Jetstream.md §1.3). An unusable message is written with its type and
    /// index only.
    func write(into text: inout JSONTextAssembly) {
        switch self {
        case .sessionCreate(let message):
            text.begin("SessionCreate", 0)
            text.member(",\"params\":", message.parameters)
            text.member(",\"version\":", message.version)
        case .sessionCreateReply(let message):
            text.begin("SessionCreateReply", message.index)
            if let token = message.sessionToken { text.member(",\"sessionToken\":", token) }
            text.error(message.error)
        case .scopeFetch(let message):
            text.begin("ScopeFetch", message.index)
            text.member(",\"name\":", message.name)
            text.member(",\"params\":", message.parameters)
        case .scopeFetchReply(let message):
            text.begin("ScopeFetchReply", message.index)
            text.member(",\"replyTo\":", message.replyTo)
            if let index = message.scopeIndex { text.member(",\"scopeIndex\":", index) }
            text.error(message.error)
        case .scopeState(let message):
            text.begin("ScopeState", message.index)
            text.member(",\"scopeIndex\":", message.scopeIndex)
            text.append(syntax: ",\"rootUUID\":")
            text.append(message.rootUUID)
            text.array(",\"fragments\":", message.fragments) { $0.append($1) }
        case .scopeSync(let message):
            text.begin("ScopeSync", message.index)
            text.member(",\"scopeIndex\":", message.scopeIndex)
            text.array(",\"fragments\":", message.fragments) { $0.append($1) }
            // The server requires `atomic` beside a procedure.
            if message.isAtomic || message.procedure != nil { text.append(syntax: ",\"atomic\":true") }
            if let procedure = message.procedure { text.member(",\"procedure\":", procedure) }
        case .scopeSyncReply(let message):
            text.begin("ScopeSyncReply", message.index)
            text.member(",\"replyTo\":", message.replyTo)
            text.array(",\"fragmentReplies\":", message.fragmentReplies) { $0.append($1.json) }
        case .ping(let message):
            text.begin("Ping", 0)
            text.member(",\"ack\":", message.ack)
            text.append(syntax: message.resendMissing ? ",\"resendMissing\":true" : ",\"resendMissing\":false")
        case .reply(let message):
            text.begin("Reply", message.index)
            text.member(",\"replyTo\":", message.replyTo)
        case .unusable(let message): text.begin(message.type ?? "", message.index ?? 0)
        }
        text.append(syntax: "}")
    }
}

extension JSONTextAssembly {
    fileprivate mutating func begin(_ type: String, _ index: Int) {
        append(syntax: "{\"type\":")
        append(string: type)
        member(",\"index\":", index)
    }

    fileprivate mutating func member(_ name: StaticString, _ value: Int) {
        append(syntax: name)
        append(integer: value)
    }

    fileprivate mutating func member(_ name: StaticString, _ value: String) {
        append(syntax: name)
        append(string: value)
    }

    fileprivate mutating func member(_ name: StaticString, _ value: JSONObject) {
        append(syntax: name)
        append(value)
    }

    fileprivate mutating func error(_ error: ErrorObject?) {
        guard let error else { return }
        append(syntax: ",\"error\":")
        append(error.json)
    }

    // Inlined, so that elements are passed on without copies.
    @inline(__always)
    fileprivate mutating func array<Element>(
        _ name: StaticString,
        _ elements: [Element],
        _ write: (inout JSONTextAssembly, Element) -> Void
    ) {
        append(syntax: name)
        append(syntax: "[")
        for index in elements.indices {
            if index > 0 { append(syntax: ",") }
            write(&self, elements[index])
        }
        append(syntax: "]")
    }

    fileprivate mutating func append(_ uuid: UUID) { uuid.withWireBytes { append(plain: $0) } }

    /// Appends a fragment: its identifier in lower case, `properties` always present
    /// (Docs/Protocols/Jetstream.md §1.9).
    fileprivate mutating func append(_ fragment: SyncFragment) {
        append(syntax: fragment.kind == .add ? "{\"type\":\"add\",\"uuid\":" : "{\"type\":\"change\",\"uuid\":")
        append(fragment.uuid)
        member(",\"clsName\":", fragment.className)
        append(syntax: ",\"properties\":")
        if case .values(let values, let names) = fragment.storage {
            names.write(values, into: &self)
        } else {
            append(fragment.properties)
        }
        append(syntax: "}")
    }
}
