public import HeliumJSON

extension Interaction {
    /// An action of other users (Docs/Protocols/AppNet.md §2.9).
    public struct Action: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Users followed the token's user.
        public static let follow = Self(rawValue: "follow")

        /// Users replied to a post.
        public static let reply = Self(rawValue: "reply")

        /// Users reposted a post.
        public static let repost = Self(rawValue: "repost")

        /// Users starred a post.
        public static let star = Self(rawValue: "star")

        /// The token's user joined the service.
        public static let welcome = Self(rawValue: "welcome")

        /// A broadcast channel was created.
        public static let broadcastCreate = Self(rawValue: "broadcast_create")

        /// Users subscribed to a broadcast channel of the token's user.
        public static let broadcastSubscribe = Self(rawValue: "broadcast_subscribe")

        /// Users unsubscribed from a broadcast channel of the token's user.
        public static let broadcastUnsubscribe = Self(rawValue: "broadcast_unsubscribe")

        /// Users bookmarked a post (pnut.io only).
        public static let bookmark = Self(rawValue: "bookmark")

        /// Users responded to a poll of the token's user (pnut.io only).
        public static let pollResponse = Self(rawValue: "poll_response")
    }
}

extension Interaction.Action: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}
