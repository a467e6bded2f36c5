internal import Foundation
internal import GRDB
internal import HeliumJSON

/// A stream of posts that the service selects (Docs/Protocols/AppNet.md §2.10).
enum ExploreStream: String, CaseIterable, Sendable {
    case posts, conversations, photos, trending, checkins

    private var summary: String {
        switch self {
        case .posts: "Posts not directed at any user"
        case .conversations: "Posts that others replied to"
        case .photos: "Posts with photos"
        case .trending: "Posts that were starred or reposted"
        case .checkins: "Posts from places"
        }
    }

    /// The name of its marker. It is the name that the service used.
    var marker: String { self == .posts ? "explore:undirected" : "explore:\(rawValue)" }

    /// Returns the JSON object of the stream (Docs/Protocols/AppNet.md §3.5).
    func json(root: String) -> JSONValue {
        [
            "slug": .string(rawValue), "title": .string(rawValue.capitalized), "description": .string(summary),
            "url": .string("\(root)/stream/0/posts/stream/explore/\(rawValue)"),
        ]
    }

    /// The SQL condition of the stream. ``includes(_:)`` makes the remaining checks.
    var condition: String {
        switch self {
        case .posts:
            """
            repost_of IS NULL AND NOT EXISTS
            (SELECT 1 FROM appnet_post_mention WHERE post = appnet_post.id AND is_leading)
            """
        case .conversations:
            "repost_of IS NULL AND EXISTS (SELECT 1 FROM appnet_post AS reply WHERE reply.reply_to = appnet_post.id)"
        case .trending:
            """
            repost_of IS NULL AND (EXISTS (SELECT 1 FROM appnet_star WHERE post = appnet_post.id)
            OR EXISTS (SELECT 1 FROM appnet_post AS repost WHERE repost.repost_of = appnet_post.id))
            """
        case .photos, .checkins:
            "repost_of IS NULL AND annotations != '[]'"
        }
    }

    func includes(_ post: PostRecord) -> Bool {
        switch self {
        case .photos: post.hasEmbed("photo")
        case .checkins: post.hasAnnotation("net.app.core.checkin")
        default: true
        }
    }
}
