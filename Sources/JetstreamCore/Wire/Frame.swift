internal import Foundation
internal import HeliumJSON

/// The messages of one frame, read directly from the document.
struct Frame: JSONReadable {
    let messages: [JetstreamMessage]

    init(json: borrowing JSONReader) throws {
        if json.kind == .array {
            var messages: [JetstreamMessage] = []
            messages.reserveCapacity(json.elementCount)
            try json.forEachElement { messages.append(try MessageMembers(json: $0).message) }
            self.messages = messages
        } else {
            messages = [try MessageMembers(json: json).message]
        }
    }

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "not a Jetstream frame")
        )
    }
}

/// The members of a message that is being read. Its type may be the last member.
private struct MessageMembers {
    var type: String?
    var index: Int?
    var replyTo: Int?
    var scopeIndex: Int?
    var ack: Int?
    var rootUUID: UUID?
    var error: ErrorObject?
    var parameters: JSONObject?
    var fragments: [SyncFragment]?
    var fragmentReplies: [FragmentReply]?
    var version: String?
    var sessionToken: String?
    var name: String?
    var procedure: String?
    var isAtomic: Bool?
    var resendMissing: Bool?
    /// Whether a member has a value of the wrong kind.
    var isMalformed = false

    init(json: borrowing JSONReader) throws {
        guard json.kind == .object else { return }
        try json.forEachMember { name, value in
            switch name {
            case "type": type = text(value)
            case "index": index = count(value)
            case "replyTo": replyTo = count(value)
            case "scopeIndex": scopeIndex = count(value)
            case "ack": ack = count(value)
            case "rootUUID": rootUUID = UUID(json: value)
            case "error": error = ErrorObject(json: value)
            case "params": parameters = value.kind == .object ? try value.read() : nil
            case "fragments": fragments = try Self.fragments(value)
            case "fragmentReplies": fragmentReplies = try Self.fragmentReplies(value)
            case "version": version = text(value)
            case "sessionToken": sessionToken = text(value)
            case "name": self.name = text(value)
            case "procedure": procedure = text(value)
            case "atomic":
                isAtomic = flag(value)
                isMalformed = isMalformed || isAtomic == nil
            case "resendMissing": resendMissing = flag(value)
            default: break
            }
        }
    }
}

// MARK: Values

private func text(_ value: borrowing JSONReader) -> String? {
    value.kind == .string ? try? value.read(String.self) : nil
}

private func flag(_ value: borrowing JSONReader) -> Bool? {
    value.kind == .bool ? try? value.read(Bool.self) : nil
}

/// Returns a whole number from 0 to 2^53 − 1; `nil` for other values.
private func count(_ value: borrowing JSONReader) -> Int? {
    guard value.kind == .number, let count = try? value.read(Int.self) else { return nil }
    return 0...JetstreamMessage.maximumIndex ~= count ? count : nil
}

extension MessageMembers {
    /// Returns the readable fragments; `nil` if the value is not an array.
    fileprivate static func fragments(_ value: borrowing JSONReader) throws -> [SyncFragment]? {
        guard value.kind == .array else { return nil }
        var fragments: [SyncFragment] = []
        fragments.reserveCapacity(value.elementCount)
        var className = RepeatedText()
        try value.forEachElement { element in
            if let fragment = try SyncFragment(json: element, &className) { fragments.append(fragment) }
        }
        return SyncFragment.keepingLittle(fragments)
    }

    /// Returns the replies; `nil` if the value is not an array of objects.
    fileprivate static func fragmentReplies(_ value: borrowing JSONReader) throws -> [FragmentReply]? {
        guard value.kind == .array else { return nil }
        var replies: [FragmentReply] = []
        var isValid = true
        try value.forEachElement { element in
            guard element.kind == .object else { return isValid = false }
            var reply = FragmentReply()
            try element.forEachMember { name, value in
                switch name {
                case "error": reply.error = ErrorObject(json: value)
                case "modifications" where value.kind == .object: reply.modifications = try value.read()
                default: break
                }
            }
            replies.append(reply)
        }
        return isValid ? replies : nil
    }
}

/// A text that is mostly the same each time, for which no new string is created.
private struct RepeatedText {
    private var last = ""
    private var bytes: [UInt8] = []

    /// Returns the string at a reader's position; `nil` for other values.
    mutating func read(_ value: borrowing JSONReader) -> String? {
        if value.isString(bytes) { return last }
        guard let text = text(value) else { return nil }
        last = text
        bytes = Array(text.utf8)
        return text
    }
}

extension SyncFragment {
    private static func kind(_ value: borrowing JSONReader) -> Kind? {
        value.isString("add") ? .add : value.isString("change") ? .change : nil
    }

    /// Reads a fragment; `nil` if a required member is missing or of the wrong kind (Docs/Protocols/Jetstream.md §2.1).
    fileprivate init?(json: borrowing JSONReader, _ lastClassName: inout RepeatedText) throws {
        guard json.kind == .object else { return nil }
        var (kind, uuid, className) = (Kind?.none, UUID?.none, String?.none)
        var properties: ParsedObject?
        var isMalformed = false
        try json.forEachMember { name, value in
            switch name {
            case "type": kind = Self.kind(value)
            case "uuid": uuid = UUID(json: value)
            case "clsName": className = lastClassName.read(value)
            case "properties":
                properties = ParsedObject(value)
                isMalformed = properties == nil && !value.isNull
            default: break
            }
        }
        guard let kind, let uuid, let className, !isMalformed else { return nil }
        self.init(kind, uuid: uuid, className: className, storage: properties.map(Properties.parsed) ?? .made([:]))
    }
}

extension ErrorObject {
    /// Reads the error from a member `error`; `nil` for `null`, which counts as no error.
    fileprivate init?(json: borrowing JSONReader) {
        if json.isNull { return nil }
        self.init(message: "Unknown error")
        guard json.kind == .object else { return }
        var (message, type) = (String?.none, String?.none)
        try? json.forEachMember { name, value in
            switch name {
            case "message": message = text(value)
            case "type": type = text(value)
            default: break
            }
        }
        self.message = message ?? self.message
        self.type = type
    }
}

// MARK: Messages

extension MessageMembers {
    /// The message described by the members.
    fileprivate var message: JetstreamMessage {
        let unusable = JetstreamMessage.unusable(.init(index: index, type: type))
        guard let type, let index else { return unusable }
        switch ByteText(type) {
        case "SessionCreate":
            guard let version else { return unusable }
            return .sessionCreate(.init(version: version, parameters: parameters ?? [:]))
        case "SessionCreateReply":
            guard sessionToken != nil || error != nil else { return unusable }
            return .sessionCreateReply(.init(index: index, sessionToken: sessionToken, error: error))
        case "ScopeFetch":
            guard let name else { return unusable }
            return .scopeFetch(.init(index: index, name: name, parameters: parameters ?? [:]))
        case "ScopeFetchReply":
            guard let replyTo else { return unusable }
            return .scopeFetchReply(.init(index: index, replyTo: replyTo, scopeIndex: scopeIndex, error: error))
        case "ScopeState":
            guard let scopeIndex, let rootUUID, let fragments else { return unusable }
            return .scopeState(
                .init(index: index, scopeIndex: scopeIndex, rootUUID: rootUUID, fragments: fragments)
            )
        case "ScopeSync":
            guard let scopeIndex, let fragments, !isMalformed else { return unusable }
            return .scopeSync(
                .init(
                    index: index,
                    scopeIndex: scopeIndex,
                    fragments: fragments,
                    isAtomic: isAtomic ?? false,
                    procedure: procedure
                )
            )
        case "ScopeSyncReply":
            guard let replyTo else { return unusable }
            return .scopeSyncReply(.init(index: index, replyTo: replyTo, fragmentReplies: fragmentReplies ?? []))
        case "Ping":
            guard let ack else { return unusable }
            return .ping(.init(ack: ack, resendMissing: resendMissing ?? false))
        case "Reply":
            guard let replyTo else { return unusable }
            return .reply(.init(index: index, replyTo: replyTo))
        default:
            return unusable
        }
    }
}
