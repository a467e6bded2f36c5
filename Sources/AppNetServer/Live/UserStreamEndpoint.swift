internal import HTTPTypes
internal import HeliumServerKit

/// A list or object that a user stream can subscribe to (Docs/Protocols/AppNet.md §2.14).
enum UserStreamEndpoint: Hashable, Sendable {
    case following, followers
    case posts, mentions, personal, unified
    /// The thread with the id of its first post.
    case replies(thread: Int64)
    case channels
    case subscribers(channel: Int64)
    case messages(channel: Int64)
    case files
    case token
}

extension UserStreamEndpoint {
    /// Returns whether calls of a route can create subscriptions. Whether a call can depends on the call.
    static func isOffered(by route: AppNetRoute) -> Bool {
        route.area == .api && route.methods == [.get] && makers[route.pattern.description] != nil
    }

    private static let makers: [String: @Sendable (AppNetContext) throws -> Self?] = [
        "users/{user}/following": { try own(.following, $0) }, "users/{user}/followers": { try own(.followers, $0) },
        "users/{user}/posts": { try own(.posts, $0) }, "users/{user}/mentions": { try own(.mentions, $0) },
        "posts/{id}/replies": { .replies(thread: try PostFinder($0).post().thread) },
        "posts/stream": { _ in .personal }, "posts/stream/unified": { _ in .unified },
        "channels": { $0.parameters["ids"] == nil ? .channels : nil },
        "channels/{channel}/subscribers": { .subscribers(channel: try $0.id("channel")) },
        "channels/{channel}/messages": { .messages(channel: try $0.id("channel")) },
        "users/me/files": { _ in .files }, "token": { _ in .token },
    ]

    /// Returns an endpoint that only the user in the path can subscribe to; `nil` for other callers.
    private static func own(_ endpoint: Self, _ context: AppNetContext) throws -> Self? {
        try UserFinder(context).user().id == context.caller.user ? endpoint : nil
    }

    /// Creates the endpoint of a call; `nil` if the call cannot create a subscription.
    init?(_ context: AppNetContext, _ route: AppNetRoute) throws {
        guard route.methods == [.get], context.caller.user != nil,
            let endpoint = try Self.makers[route.pattern.description]?(context)
        else { return nil }
        self = endpoint
    }
}
