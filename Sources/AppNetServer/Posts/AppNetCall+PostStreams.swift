internal import GRDB
internal import HeliumJSON

extension AppNetCall {
    /// A page of posts, those of a condition that is spelt in this source.
    func postPage(
        where condition: String,
        _ arguments: StatementArguments = [],
        marker: String? = nil,
        askedFor: Int64? = nil,
        includesDirected: Bool = true,
        includes: (PostRecord) throws -> Bool = { _ in true }
    ) throws -> AppNetAnswer {
        let visibility = try PostVisibility(
            database: database,
            viewer: caller.user,
            options: options,
            askedFor: askedFor,
            includesDirected: includesDirected
        )
        let renderer = renderer
        return try page(
            marker: marker,
            fetch: { try posts.posts(where: condition, arguments, $0) },
            id: \.id,
            includes: { try visibility.shows($0) && includes($0) },
            render: { try renderer.post($0) }
        )
    }

    /// `GET users/{user}/posts`
    func userPosts() throws -> AppNetAnswer {
        let user = try user()
        return try postPage(
            where: "user = ?",
            [user.id],
            marker: "posts:\(user.id)",
            askedFor: user.id
        )
    }

    /// `GET users/{user}/stars`: in the order in which they were given.
    func starredPosts() throws -> AppNetAnswer {
        let user = try user()
        let visibility = try PostVisibility(database: database, viewer: caller.user, options: options)
        let renderer = renderer
        return try page(
            fetch: { try posts.stars(by: user.id, $0) },
            id: \.id,
            includes: { try posts.post($0.post).map(visibility.shows) ?? false },
            render: { try posts.post($0.post).map(renderer.post) ?? .object([:]) }
        )
    }

    /// `GET users/{user}/mentions`
    func mentions() throws -> AppNetAnswer {
        let user = try user()
        return try postPage(
            where: "id IN (SELECT post FROM appnet_post_mention WHERE user = ?)",
            [user.id],
            marker: "mentions:\(user.id)"
        )
    }

    /// `GET posts/{id}/replies`: the whole thread.
    func thread() throws -> AppNetAnswer {
        let post = try post()
        return try postPage(where: "thread = ? AND repost_of IS NULL", [post.thread])
    }

    /// `GET posts/tag/{hashtag}`
    func taggedPosts() throws -> AppNetAnswer {
        let tag = segment("hashtag").lowercased()
        return try postPage(
            where: "id IN (SELECT post FROM appnet_post_tag WHERE tag = ?)",
            [tag],
            marker: "tag:\(tag)"
        )
    }

    /// `GET posts/stream` and `posts/stream/unified`
    func personalStream(includesMentions: Bool) throws -> AppNetAnswer {
        let me = try me()
        let wantsPhotos = parameters.flag("has_oembed_photo")
        return try postPage(
            where: PostStreams.personal(includesMentions: includesMentions),
            ["me": me],
            marker: includesMentions ? "unified" : "my_stream",
            includesDirected: false,
            includes: { wantsPhotos == nil || $0.hasEmbed("photo") == wantsPhotos }
        )
    }

    /// `GET posts/stream/global`
    func globalStream() throws -> AppNetAnswer {
        try postPage(where: PostStreams.global, marker: "global")
    }
}

/// The conditions of streams, which the live ones share with the lists.
enum PostStreams {
    /// Without bots and reposts.
    static let global = "repost_of IS NULL AND user NOT IN (SELECT id FROM appnet_user WHERE type = 'bot')"

    /// Mine and of those I follow; with mentions of me also these.
    static func personal(includesMentions: Bool) -> String {
        let followed = "user = :me OR user IN (SELECT followed FROM appnet_follow WHERE follower = :me)"
        guard includesMentions else { return "(\(followed))" }
        return "(\(followed) OR id IN (SELECT post FROM appnet_post_mention WHERE user = :me))"
    }
}
