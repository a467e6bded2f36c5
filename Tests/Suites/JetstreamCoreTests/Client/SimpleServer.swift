import Foundation
import HeliumJSON
import JetstreamCore

/// A server of one scope, "Canvas", whose root has a name: what Jetstream.md §1 asks of a server, and nothing more. It does
/// no I/O.
struct SimpleServer {
    struct Session {
        var nextIndex = 1
        var highest = 0
        var retained: [JetstreamMessage] = []
        var hasScope = false
    }

    static let root = MachineRig.root

    private(set) var sessions: [String: Session] = [:]
    private var tokens: [String] = []
    /// The names that were set, in their order.
    private(set) var applied: [String] = []
    /// Names with this prefix are refused.
    var refusedPrefix = "refuse"
    /// The parameters of each session that was asked for.
    private(set) var parameters: [JSONObject] = []
    /// Denies sessions with this parameter.
    let denyingParameter = "deny"

    var name: String { applied.last ?? "Demo" }

    /// Whether a token is known.
    func knows(_ token: String) -> Bool { sessions[token] != nil }

    /// Forgets all sessions.
    mutating func expireAll() {
        sessions = [:]
        tokens = []
    }

    /// Takes a message of a socket.
    ///
    /// - Parameter token: The socket's session; set when the message creates one.
    /// - Returns: Messages, with the token of the session that they are for; `nil` for the socket itself.
    mutating func receive(_ message: JetstreamMessage, token: inout String?) -> [(
        token: String?, message: JetstreamMessage
    )] {
        if case .sessionCreate(let create) = message, token == nil {
            parameters.append(create.parameters)
            if create.parameters[denyingParameter] == true {
                return [(nil, .sessionCreateReply(.init(error: ErrorObject(message: "denied", type: "rejected"))))]
            }
            let new = "token-\(parameters.count)"
            sessions[new] = Session()
            tokens.append(new)
            token = new
            return [(new, .sessionCreateReply(.init(sessionToken: new)))]
        }
        guard let token, let session = sessions[token] else { return [] }
        if case .ping(let ping) = message {
            sessions[token]?.retained.removeAll { ($0.index ?? 0) <= ping.ack }
            guard ping.resendMissing else { return [] }
            let resent = sessions[token]?.retained ?? []
            return [(token, .ping(.init(ack: session.highest, resendMissing: true)))] + resent.map { (token, $0) }
        }
        guard let index = message.index, index > session.highest else { return [] }
        sessions[token]?.highest = index
        switch message {
        case .scopeFetch(let fetch): return receive(fetch, token)
        case .scopeSync(let sync): return receive(sync, token)
        default: return []
        }
    }

    private mutating func receive(
        _ fetch: JetstreamMessage.ScopeFetch,
        _ token: String
    ) -> [(token: String?, message: JetstreamMessage)] {
        guard fetch.name == "Canvas" else {
            let error = ErrorObject(message: "No such scope")
            return [send(token) { .scopeFetchReply(.init(index: $0, replyTo: fetch.index, error: error)) }]
        }
        sessions[token]?.hasScope = true
        let root = SyncFragment(.change, uuid: Self.root, className: "Canvas", properties: ["name": .string(name)])
        return [
            send(token) { .scopeFetchReply(.init(index: $0, replyTo: fetch.index, scopeIndex: 0)) },
            send(token) { .scopeState(.init(index: $0, scopeIndex: 0, rootUUID: Self.root, fragments: [root])) },
        ]
    }

    private mutating func receive(
        _ sync: JetstreamMessage.ScopeSync,
        _ token: String
    ) -> [(token: String?, message: JetstreamMessage)] {
        var replies: [FragmentReply] = []
        var accepted: [SyncFragment] = []
        for fragment in sync.fragments {
            let name = fragment.properties["name"]?.stringValue
            if let name, !name.hasPrefix(refusedPrefix) {
                applied.append(name)
                accepted.append(fragment)
                replies.append(FragmentReply())
            } else {
                replies.append(FragmentReply(error: ErrorObject(message: "not this name")))
            }
        }
        var messages: [(token: String?, message: JetstreamMessage)] = []
        for other in tokens where other != token && sessions[other]?.hasScope == true {
            messages.append(send(other) { .scopeSync(.init(index: $0, scopeIndex: 0, fragments: accepted)) })
        }
        let reply = send(token) { .scopeSyncReply(.init(index: $0, replyTo: sync.index, fragmentReplies: replies)) }
        return messages + [reply]
    }

    private mutating func send(_ token: String, _ make: (Int) -> JetstreamMessage) -> (
        token: String?, message: JetstreamMessage
    ) {
        let message = make(sessions[token]?.nextIndex ?? 0)
        sessions[token]?.nextIndex += 1
        sessions[token]?.retained.append(message)
        return (token, message)
    }
}
