package import HeliumJSON

/// What an event of a stream is of (§2.13): an object, objects, or two that belong together.
package enum EventData: Hashable, Sendable {
    case messages([Message])
    case channels([AppNetChannel])
    case users([AppNetUser])
    case files([File])
    case posts([Post])
    case tokens([TokenInfo])
    case subjects(EventSubjects)
    /// Of a type that isn't known here.
    case other(JSONValue)
}

/// Those whom an event is of that is about two: who starred what, who follows whom (§2.13).
package struct EventSubjects: Hashable, Sendable {
    package var user: AppNetUser?
    package var post: Post?
    package var channel: AppNetChannel?
    package var marker: StreamMarker?
    package var followsUser: AppNetUser?
    /// Of pnut's `follow`.
    package var followedUser: AppNetUser?
    package var mutedUser: AppNetUser?
    package var blockedUser: AppNetUser?
    package var extra = JSONObject()

    package init() {}
}

extension EventSubjects: AppNetRecord {
    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.value("user", &user)
        try visitor.value("post", &post)
        try visitor.value("channel", &channel)
        try visitor.value("marker", &marker)
        try visitor.value("follows_user", &followsUser)
        try visitor.value("followed_user", &followedUser)
        try visitor.value("muted_user", &mutedUser)
        try visitor.value("blocked_user", &blockedUser)
    }

    package init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    package init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    package func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension EventData {
    /// The data of an event of that type; where the type is missing, by its members.
    ///
    /// - Throws: `DecodingError` for members that can't be read.
    package init(_ data: JSONValue, type: String?) throws {
        var values: [JSONValue] = [data]
        if case .array(let list) = data { values = list }
        switch type ?? Self.guessedType(of: values.first) {
        case "message": self = .messages(try Self.read(values))
        case "channel": self = .channels(try Self.read(values))
        case "user": self = .users(try Self.read(values))
        case "file": self = .files(try Self.read(values))
        case "post": self = .posts(try Self.read(values))
        case "token": self = .tokens(try Self.read(values))
        case "star", "bookmark", "user_follow", "follow", "mute", "block", "stream_marker", "channel_subscription":
            guard case .object = data else { fallthrough }
            self = .subjects(try HeliumJSONDecoder().decode(EventSubjects.self, from: data.data()))
        default: self = .other(data)
        }
    }

    private static func read<Value: Decodable>(_ values: [JSONValue]) throws -> [Value] {
        try HeliumJSONDecoder().decode([Value].self, from: JSONValue.array(values).data())
    }

    private static func guessedType(of value: JSONValue?) -> String {
        guard case .object(let object) = value else { return "" }
        let marks = [
            ("username", "user"), ("readers", "channel"), ("channel_id", "message"), ("thread_id", "post"),
            ("kind", "file"), ("scopes", "token"),
        ]
        return marks.first { object[$0.0] != nil }?.1 ?? ""
    }

    fileprivate var values: any Encodable & UnknownMemberHolder {
        switch self {
        case .messages(let values): values
        case .channels(let values): values
        case .users(let values): values
        case .files(let values): values
        case .posts(let values): values
        case .tokens(let values): values
        case .subjects(let subjects): subjects
        case .other(let value): value
        }
    }
}

/// An event of an app's or a user's stream as a document: `{"meta": …, "data": …}`, or a control frame.
struct EventDocument: Sendable {
    var envelope: Envelope<JSONValue>
    var data: EventData?
}

extension EventDocument: Codable, JSONReadable {
    init(from decoder: any Decoder) throws { try self.init(envelope: Envelope(from: decoder)) }

    init(json: borrowing JSONReader) throws { try self.init(envelope: Envelope(json: json)) }

    private init(envelope: Envelope<JSONValue>) throws {
        self.envelope = envelope
        data = try envelope.data.map { try EventData($0, type: envelope.meta?.type) }
    }

    func encode(to encoder: any Encoder) throws {
        var written = envelope
        if let data {
            let value = try JSONValue(parsing: try HeliumJSONEncoder().encodeToBytes(AnyValue(value: data.values)))
            if case .array? = envelope.data { written.data = value } else { written.data = value[0] ?? value }
        }
        try written.encode(to: encoder)
    }

    private struct AnyValue: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
}

extension EventDocument: UnknownMemberHolder {
    func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        let prefix = path.isEmpty ? "" : path + "."
        // A frame that controls the stream has this alone.
        for name in envelope.extra.names where name != "control" { body(prefix + name) }
        envelope.meta?.forEachUnknownMember(at: prefix + "meta", body)
        data?.values.forEachUnknownMember(at: prefix + "data", body)
    }
}
