public import Foundation
public import HeliumJSON

/// An action of other users that concerns the token's user (Docs/Protocols/AppNet.md §2.9).
public struct Interaction: Hashable, Sendable {
    /// The action.
    public var action: Action?

    /// The date of the most recent action.
    public var eventDate: Date?

    /// The users who performed the action.
    public var users: [AppNetUser]?

    /// The objects of the action: users for a follow, posts for a star, repost or reply, channels for broadcasts. Empty
    /// for a welcome.
    public var objects: [Object]?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates an interaction with these members.
    package init(
        action: Action? = nil,
        eventDate: Date? = nil,
        users: [AppNetUser]? = nil,
        objects: [Object]? = nil,
        paginationID: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.action = action
        self.eventDate = eventDate
        self.users = users
        self.objects = objects
        self.paginationID = paginationID
        self.extra = extra
    }
}

extension Interaction: AppNetRecord {
    package init() { self.init(action: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("action", &action)
        try visitor.member("event_date", &eventDate)
        try visitor.value("users", &users)
        try visitor.value("objects", &objects)
        try visitor.member("pagination_id", &paginationID)
    }

    package static var pnutDifferences: [PnutStep] {
        [.value("action", [("star", "bookmark")])]
    }
}

extension Interaction: Codable, JSONReadable {}

extension Interaction {
    /// An object of an interaction.
    public indirect enum Object: Hashable, Sendable {
        /// A user.
        case user(AppNetUser)
        /// A post.
        case post(Post)
        /// A channel.
        case channel(AppNetChannel)
    }
}

extension Interaction.Object: Codable, JSONReadable, AppNetObject {
    /// The members that distinguish the kinds of objects. pnut.io has `acl` instead of `readers`, and also has polls.
    private enum Marks: String, CodingKey {
        case username, readers, acl, prompt
    }

    /// Decodes an object of the kind that its members indicate.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Marks.self)
        if container.contains(.username) {
            self = .user(try AppNetUser(from: decoder))
        } else if container.contains(.readers) {
            self = .channel(try AppNetChannel(from: decoder))
        } else {
            self = .post(try Post(from: decoder))
        }
    }

    /// Decodes an object of the kind that its members indicate.
    public init(json: borrowing JSONReader) throws {
        var isUser = false
        var isChannel = false
        try json.forEachMember { name, _ in
            switch name {
            case "username": isUser = true
            case "readers": isChannel = true
            default: break
            }
        }
        if isUser {
            self = .user(try json.read())
        } else {
            self = isChannel ? .channel(try json.read()) : .post(try json.read())
        }
    }

    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .user(let user): try user.encode(to: encoder)
        case .post(let post): try post.encode(to: encoder)
        case .channel(let channel): try channel.encode(to: encoder)
        }
    }
}

extension Interaction.Object: PnutTranslated {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        func has(_ mark: Marks) -> Bool { value[mark.rawValue] != nil }
        if has(.username) { return try AppNetUser.translate(value, direction) }
        if has(.acl) || has(.readers) { return try AppNetChannel.translate(value, direction) }
        return try has(.prompt) ? Poll.translate(value, direction) : Post.translate(value, direction)
    }
}

extension Interaction.Object: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        switch self {
        case .user(let user): user.forEachUnknownMember(at: path, body)
        case .post(let post): post.forEachUnknownMember(at: path, body)
        case .channel(let channel): channel.forEachUnknownMember(at: path, body)
        }
    }
}
