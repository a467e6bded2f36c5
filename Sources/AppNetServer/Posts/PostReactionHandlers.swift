internal import HeliumJSON

/// The calls that star, repost and report posts, and list the users who did (Docs/Protocols/AppNet.md §2.7).
struct PostReactionHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: PostFinder { PostFinder(context) }

    /// Handles `POST` and `DELETE posts/{id}/star`.
    func setStar(_ isStarred: Bool) throws -> AppNetResponse {
        let me = try context.me()
        let post = try finder.livePost(to: isStarred ? "star" : "unstar")
        let wasStarred = try tables.posts.star(post.id, by: me) != nil
        if isStarred != wasStarred {
            if isStarred {
                try tables.posts.insertStar(post.id, by: me, at: context.now)
            } else {
                try tables.posts.deleteStar(post.id, by: me)
            }
            context.effects.append(AppNetEvent(kind: .star, object: post.id, actor: me, isDeleted: !isStarred))
        }
        return .data(try context.renderer.post(post))
    }

    /// Handles `POST posts/{id}/repost`. The response contains the repost, also if it already existed.
    func repost() throws -> AppNetResponse { .data(try context.renderer.post(PostWriter(context).repost())) }

    /// Handles `DELETE posts/{id}/repost`. The response contains the original post.
    func deleteRepost() throws -> AppNetResponse {
        let me = try context.me()
        let original = try finder.post()
        if let repost = try tables.posts.repost(of: original.id, by: me) {
            _ = try tables.posts.delete(repost.id)
            context.effects.append(AppNetEvent(kind: .post, object: repost.id, actor: me, isDeleted: true))
        }
        return .data(try context.renderer.post(original))
    }

    /// Handles `POST posts/{id}/report`. Mutes the author.
    func report() throws -> AppNetResponse {
        let me = try context.me()
        let post = try finder.post()
        try require(post.user != me, "You cannot report your own post")
        try tables.posts.insertReport(post.id, by: me, at: context.now)
        if try tables.relations.add(.mute, me, post.user, at: context.now) {
            context.effects.append(AppNetEvent(kind: .mute, object: post.user, actor: me))
        }
        return .data(try context.renderer.post(post))
    }

    /// Handles `GET posts/{id}/stars`.
    func listStarrers() throws -> AppNetResponse {
        let post = try finder.post()
        return try usersPage { try tables.posts.stars(of: post.id, $0) }
    }

    /// Handles `GET posts/{id}/reposters`.
    func listReposters() throws -> AppNetResponse {
        let post = try finder.post()
        return try usersPage { try tables.posts.reposts(of: post.id, $0) }
    }

    private func usersPage(_ fetch: (PageWindow) throws -> [PostTable.Mark]) throws -> AppNetResponse {
        let renderer = context.renderer
        return try context.page(
            fetch: fetch,
            id: \.id,
            render: { try renderer.user($0.user) }
        )
    }
}
