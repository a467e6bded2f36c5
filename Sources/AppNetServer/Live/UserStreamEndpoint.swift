internal import HTTPTypes
internal import HeliumServerKit

/// A list or object that a user stream can be subscribed to (§2.14).
enum UserStreamEndpoint: Hashable, Sendable {
    case following, followers
    case posts, mentions, personal, unified
    /// The thread, by the id of its first post.
    case replies(thread: Int64)
    case channels
    case subscribers(channel: Int64)
    case messages(channel: Int64)
    case files
    case token
}

extension UserStreamEndpoint {
    /// Whether calls of a route can be subscribed to; whether one is depends on the call.
    static func isOffered(by route: AppNetRoute) -> Bool {
        route.area == .api && route.methods == [.get] && patterns.contains(route.pattern.description)
    }

    private static let patterns: Set = [
        "users/{user}/following", "users/{user}/followers", "users/{user}/posts", "users/{user}/mentions",
        "posts/{id}/replies", "posts/stream", "posts/stream/unified", "channels", "channels/{channel}/subscribers",
        "channels/{channel}/messages", "users/me/files", "token",
    ]

    /// The endpoint of a call; nil for one that cannot be subscribed to.
    init?(_ context: AppNetContext, _ route: AppNetRoute) throws {
        guard route.methods == [.get], let me = context.caller.user else { return nil }
        /// Whether the user whom the path names is the caller.
        func isMine() throws -> Bool { try UserFinder(context).user().id == me }
        switch route.pattern.description {
        case "users/{user}/following" where try isMine(): self = .following
        case "users/{user}/followers" where try isMine(): self = .followers
        case "users/{user}/posts" where try isMine(): self = .posts
        case "users/{user}/mentions" where try isMine(): self = .mentions
        case "posts/{id}/replies": self = .replies(thread: try PostFinder(context).post().thread)
        case "posts/stream": self = .personal
        case "posts/stream/unified": self = .unified
        case "channels" where context.parameters["ids"] == nil: self = .channels
        case "channels/{channel}/subscribers": self = .subscribers(channel: try context.id("channel"))
        case "channels/{channel}/messages": self = .messages(channel: try context.id("channel"))
        case "users/me/files": self = .files
        case "token": self = .token
        default: return nil
        }
    }
}
