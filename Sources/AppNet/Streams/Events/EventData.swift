package import HeliumJSON

/// The data of a stream event (Docs/Protocols/AppNet.md §2.13): objects of one kind, or two related objects.
package enum EventData: Hashable, Sendable {
    case messages([Message])
    case channels([AppNetChannel])
    case users([AppNetUser])
    case files([File])
    case posts([Post])
    case tokens([TokenInfo])
    case subjects(EventSubjects)
    /// Data of an unknown type.
    case other(JSONValue)
}

/// The objects of an event about a relation, such as a user and the post that the user starred
/// (Docs/Protocols/AppNet.md §2.13).
package struct EventSubjects: Hashable, Sendable {
    package var user: AppNetUser?
    package var post: Post?
    package var channel: AppNetChannel?
    package var marker: StreamMarker?
    package var followsUser: AppNetUser?
    /// The followed user in pnut.io's `follow`.
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
}

extension EventData {
    /// Decodes the data of an event by its type. If the type is missing, the members of the data decide.
    ///
    /// - Throws: `DecodingError` if a member cannot be decoded.
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

/// The content of an event's data, by the event's type (Docs/Protocols/AppNet.md §2.13, §6.3).
struct EventContent: Sendable {
    /// The type, with its name in each dialect.
    let type: (appNet: StreamEvent.Kind, pnut: StreamEvent.Kind)

    /// A member that distinguishes this content from that of other types.
    private let mark: String?

    /// The type of the data.
    let value: any AppNetObject.Type

    /// A function that decodes data with App.net's members.
    let read: @Sendable (JSONValue) throws -> EventData

    private static let all = [
        Self(.user, EventData.users, mark: "username"), Self(.channel, EventData.channels, mark: "readers"),
        Self(.message, EventData.messages, mark: "channel_id"), Self(.post, EventData.posts, mark: "thread_id"),
        Self(.file, EventData.files, mark: "kind"), Self(.token, EventData.tokens, mark: "scopes"),
        Self(ofTwo: .star, pnut: .bookmark), Self(ofTwo: .userFollow, pnut: .follow), Self(ofTwo: .mute),
        Self(ofTwo: .block), Self(ofTwo: .streamMarker), Self(ofTwo: .channelSubscription),
        Self(.poll, .poll, nil, Poll.self) { .other($0) },
    ]

    /// The types with different names in the two dialects.
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

    /// Creates the content of events about objects of one kind, alone or in a list.
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

    /// Creates the content of events about two related objects.
    private init(ofTwo type: StreamEvent.Kind, pnut: StreamEvent.Kind? = nil) {
        self.init(type, pnut ?? type, nil, EventSubjects.self) { value in
            guard case .object = value else { return .other(value) }
            return .subjects(try HeliumJSONDecoder().decode(EventSubjects.self, from: value.data()))
        }
    }

    /// Returns the content for the name of a type in either dialect; `nil` if the type is unknown.
    init?(type: String) {
        let found = Self.all.first {
            $0.type.appNet.rawValue.hasSameBytes(as: type) || $0.type.pnut.rawValue.hasSameBytes(as: type)
        }
        guard let found else { return nil }
        self = found
    }

    /// Returns the content that has the members of the data; `nil` if none has.
    init?(guessedFrom data: JSONValue) {
        guard case .object(let object) = data.arrayValue?.first ?? data,
            let found = Self.all.first(where: { $0.mark.map { object[$0] != nil } ?? false })
        else { return nil }
        self = found
    }

    /// Returns the form of an event's data in the other dialect. For an unknown type, the members of events about
    /// relations are translated.
    ///
    /// - Throws: ``UntranslatableMember`` if the other dialect has no equivalent.
    static func translate(_ data: JSONValue, type: String?, _ direction: PnutDirection) throws -> JSONValue {
        if let content = type.flatMap(Self.init(type:)) { return try content.value.translate(data, direction) }
        guard case .object = data else { return data }
        return try EventSubjects.translate(data, direction)
    }
}
