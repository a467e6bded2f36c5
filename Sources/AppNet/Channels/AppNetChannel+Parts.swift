public import HeliumJSON

extension AppNetChannel {
    /// The number of messages and subscribers of a channel.
    public struct Counts: Hashable, Sendable {
        /// The number of messages.
        public var messages: Int?

        /// The number of subscribers. Only editors see it.
        public var subscribers: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates counts with these members.
        package init(
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

extension AppNetChannel.Counts: Codable, JSONReadable {}

extension AppNetChannel {
    /// The type of a channel, which defines the purpose of its messages (Docs/Protocols/AppNet.md §4.5).
    ///
    /// Types that the service does not define are reverse domain names of their owners.
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A channel of private messages. It is created by sending a private message, never directly.
        public static let privateMessages = Self(rawValue: "net.app.core.pm")

        /// A broadcast channel: its editors write to its subscribers.
        public static let broadcast = Self(rawValue: "net.app.core.broadcast")

        /// The personal journal of a user (Docs/Protocols/AppNet.md §4.4).
        public static let journal = Self(rawValue: "net.app.ohai.journal")

        /// A chat room.
        public static let patterRoom = Self(rawValue: "net.patter-app.room")

        /// A channel of private messages on pnut.io.
        public static let pnutPrivateMessages = Self(rawValue: "io.pnut.core.pm")

        /// A chat room on pnut.io.
        public static let pnutChat = Self(rawValue: "io.pnut.core.chat")
    }
}

extension AppNetChannel.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}
