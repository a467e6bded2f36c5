public import HeliumJSON

extension AppNetChannel {
    /// How much there is of a channel.
    public struct Counts: Hashable, Sendable {
        /// Its messages.
        public var messages: Int?

        /// Its subscribers; only editors see it.
        public var subscribers: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Counts.
        public init(
            messages: Int? = nil,
            subscribers: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.messages = messages
            self.subscribers = subscribers
            self.extra = extra
        }
    }
}

extension AppNetChannel.Counts: AppNetRecord {
    package init() { self.init(messages: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("messages", &messages)
        try visitor.member("subscribers", &subscribers)
    }
}

extension AppNetChannel.Counts: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension AppNetChannel {
    /// A channel's type: what its messages are for (§4.5). Types of others are reverse domain names of theirs.
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Private messages: made by sending one, never by hand.
        public static let privateMessages = Self(rawValue: "net.app.core.pm")

        /// Broadcasts of an editor to subscribers.
        public static let broadcast = Self(rawValue: "net.app.core.broadcast")

        /// The personal journal of a user (§4.4).
        public static let journal = Self(rawValue: "net.app.ohai.journal")

        /// A chat room.
        public static let patterRoom = Self(rawValue: "net.patter-app.room")

        /// Private messages of pnut.io.
        public static let pnutPrivateMessages = Self(rawValue: "io.pnut.core.pm")

        /// A chat room of pnut.io.
        public static let pnutChat = Self(rawValue: "io.pnut.core.chat")
    }
}

extension AppNetChannel.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
