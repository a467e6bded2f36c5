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
        try visitor.value("follows_user", &followsUser, pnut: .named("followed_user"))
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
        guard let content = type.map(EventContent.init(type:)) ?? EventContent(guessedFrom: data) else {
            self = .other(data)
            return
        }
        self = try content.read(data)
    }

    var values: any Encodable & UnknownMemberHolder {
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

// MARK: Types of events

/// What the data of events is, by their type (AppNet.md §2.13, §6.3).
struct EventContent: Sendable {
    /// The type, and its name on pnut.io.
    let type: (appNet: StreamEvent.Kind, pnut: StreamEvent.Kind)

    /// A member that tells this content from that of other types.
    private let mark: String?

    /// What the data holds.
    let value: any AppNetObject.Type

    /// Reads data with App.net's members.
    let read: @Sendable (JSONValue) throws -> EventData

    private static let all = [
        Self(.user, EventData.users, mark: "username"), Self(.channel, EventData.channels, mark: "readers"),
        Self(.message, EventData.messages, mark: "channel_id"), Self(.post, EventData.posts, mark: "thread_id"),
        Self(.file, EventData.files, mark: "kind"), Self(.token, EventData.tokens, mark: "scopes"),
        Self(ofTwo: .star, pnut: .bookmark), Self(ofTwo: .userFollow, pnut: .follow), Self(ofTwo: .mute),
        Self(ofTwo: .block), Self(ofTwo: .streamMarker), Self(ofTwo: .channelSubscription),
        Self(.poll, .poll, nil, Poll.self) { .other($0) },
    ]

    /// The names of types that differ.
    static let names = all.filter { $0.type.appNet != $0.type.pnut }.map {
        (value: $0.type.appNet.rawValue, pnut: $0.type.pnut.rawValue)
    }

    private init(
        _ type: StreamEvent.Kind,
        _ pnut: StreamEvent.Kind,
        _ mark: String?,
        _ value: any AppNetObject.Type,
        read: @escaping @Sendable (JSONValue) throws -> EventData
    ) {
        self.type = (type, pnut)
        self.mark = mark
        self.value = value
        self.read = read
    }

    /// Objects of one kind, alone or in a list.
    private init<Value: AppNetObject>(
        _ type: StreamEvent.Kind,
        _ data: @escaping @Sendable ([Value]) -> EventData,
        mark: String
    ) {
        self.init(type, type, mark, Value.self) { value in
            let list = JSONValue.array(value.arrayValue ?? [value])
            return data(try HeliumJSONDecoder().decode([Value].self, from: list.data()))
        }
    }

    /// Two that belong together.
    private init(ofTwo type: StreamEvent.Kind, pnut: StreamEvent.Kind? = nil) {
        self.init(type, pnut ?? type, nil, EventSubjects.self) { value in
            guard case .object = value else { return .other(value) }
            return .subjects(try HeliumJSONDecoder().decode(EventSubjects.self, from: value.data()))
        }
    }

    /// The content of events of a type by either dialect's name; `nil` if the type is unknown.
    init?(type: String) {
        let found = Self.all.first {
            $0.type.appNet.rawValue.hasSameBytes(as: type) || $0.type.pnut.rawValue.hasSameBytes(as: type)
        }
        guard let found else { return nil }
        self = found
    }

    /// The content that has these members; `nil` if none has.
    init?(guessedFrom data: JSONValue) {
        guard case .object(let object) = data.arrayValue?.first ?? data,
            let found = Self.all.first(where: { $0.mark.map { object[$0] != nil } ?? false })
        else { return nil }
        self = found
    }

    /// One dialect's form of an event's data, made of the other's. Objects in data of an unknown type are translated by the
    /// names that events about two have for them.
    ///
    /// - Throws: ``UntranslatableMember``.
    static func translate(_ data: JSONValue, type: String?, _ direction: PnutDirection) throws -> JSONValue {
        if let content = type.flatMap(Self.init(type:)) { return try content.value.translate(data, direction) }
        guard case .object = data else { return data }
        return try EventSubjects.translate(data, direction)
    }
}
