internal import GRDB
internal import HeliumJSON

/// The calls that list posts (Docs/Protocols/AppNet.md §2.7).
struct PostStreamHandlers: RequestScoped {
    let context: AppNetContext

    private var pager: PostPager { PostPager(context) }

    /// Handles `GET users/{user}/posts`.
    func listOfUser() throws -> AppNetResponse {
        let user = try UserFinder(context).user()
        return try pager.page(where: "user = ?", [user.id], marker: "posts:\(user.id)", askedFor: user.id)
    }

    /// Handles `GET users/{user}/stars`. The posts are sorted by the time of the star.
    func listStarred() throws -> AppNetResponse {
        let user = try UserFinder(context).user()
        let visibility = try PostVisibility(context)
        let renderer = context.renderer
        return try context.page(
            fetch: { try tables.posts.stars(by: user.id, $0) },
            id: \.id,
            includes: { try tables.posts.post($0.post).map(visibility.shows) ?? false },
            render: { try tables.posts.post($0.post).map(renderer.post) }
        )
    }

    /// Handles `GET users/{user}/mentions`.
    func listMentions() throws -> AppNetResponse {
        let user = try UserFinder(context).user()
        return try pager.page(
            where: "id IN (SELECT post FROM appnet_post_mention WHERE user = ?)",
            [user.id],
            marker: "mentions:\(user.id)"
        )
    }

    /// Handles `GET posts/{id}/replies`. Returns the complete thread.
    func listThread() throws -> AppNetResponse {
        let post = try PostFinder(context).post()
        return try pager.page(where: "thread = ? AND repost_of IS NULL", [post.thread])
    }

    /// Handles `GET posts/tag/{hashtag}`.
    func listTagged() throws -> AppNetResponse {
        let tag = context.segment("hashtag").lowercased()
        return try pager.page(
            where: "id IN (SELECT post FROM appnet_post_tag WHERE tag IN (?, ?))",
            [tag, TextRules.composed(tag)],
            marker: "tag:\(tag)"
        )
    }

    /// Handles `GET posts/stream` and `posts/stream/unified`.
    func listPersonal(includesMentions: Bool) throws -> AppNetResponse {
        let me = try context.me()
        let wantsPhotos = context.parameters.flag("has_oembed_photo")
        return try pager.page(
            where: PostStreams.personal(includesMentions: includesMentions),
            ["me": me],
            marker: includesMentions ? "unified" : "my_stream",
            includesDirected: false,
            includes: { wantsPhotos == nil || $0.hasEmbed("photo") == wantsPhotos }
        )
    }

    /// Handles `GET posts/stream/global`.
    func listGlobal() throws -> AppNetResponse {
        try pager.page(where: PostStreams.global, marker: "global")
    }

    /// Handles `GET posts/stream/explore`.
    func listExplore() -> AppNetResponse {
        .data(.array(ExploreStream.allCases.map { $0.json(root: context.request.root) }))
    }

    /// Handles `GET posts/stream/explore/{slug}`.
    func readExplore() throws -> AppNetResponse {
        guard let stream = ExploreStream(rawValue: context.segment("slug")) else { throw AppNetFailure.notFound }
        var answer = try pager.page(where: stream.condition, marker: stream.marker, includes: stream.includes)
        answer.meta["explore_stream"] = stream.json(root: context.request.root)
        return answer
    }
}

/// The SQL conditions of streams, for lists and live updates.
enum PostStreams {
    /// Posts without those of bots and without reposts.
    static let global = "repost_of IS NULL AND user NOT IN (SELECT id FROM appnet_user WHERE type = 'bot')"

    /// Returns the condition for posts of the user and of the users that the user follows, and optionally posts that
    /// mention the user.
    static func personal(includesMentions: Bool) -> String {
        let followed = "user = :me OR user IN (SELECT followed FROM appnet_follow WHERE follower = :me)"
        guard includesMentions else { return "(\(followed))" }
        return "(\(followed) OR id IN (SELECT post FROM appnet_post_mention WHERE user = :me))"
    }
}
