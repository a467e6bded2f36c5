public import HeliumJSON

extension Interaction {
    /// What others did (§2.9).
    public struct Action: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// They followed you.
        public static let follow = Self(rawValue: "follow")

        /// They answered a post.
        public static let reply = Self(rawValue: "reply")

        /// They reposted a post.
        public static let repost = Self(rawValue: "repost")

        /// They starred a post.
        public static let star = Self(rawValue: "star")

        /// You are new.
        public static let welcome = Self(rawValue: "welcome")

        /// A broadcast channel was created.
        public static let broadcastCreate = Self(rawValue: "broadcast_create")

        /// They subscribed to your broadcasts.
        public static let broadcastSubscribe = Self(rawValue: "broadcast_subscribe")

        /// They ended it.
        public static let broadcastUnsubscribe = Self(rawValue: "broadcast_unsubscribe")

        /// They bookmarked a post (pnut).
        public static let bookmark = Self(rawValue: "bookmark")

        /// They answered your poll (pnut).
        public static let pollResponse = Self(rawValue: "poll_response")
    }
}

extension Interaction.Action: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
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
