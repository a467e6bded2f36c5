internal import HeliumJSON

/// The calls for posts (Docs/Protocols/AppNet.md §2.7).
struct PostHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: PostFinder { PostFinder(context) }

    /// Handles `POST posts`.
    func create() throws -> AppNetResponse { .data(try context.renderer.post(PostWriter(context).create())) }

    /// Handles `GET posts/{id}`.
    func read() throws -> AppNetResponse { .data(try context.renderer.post(finder.post())) }

    /// Handles `GET posts?ids=`.
    func readMany() throws -> AppNetResponse {
        let found = try context.parameters.ids().compactMap { try tables.posts.post($0) }
        let renderer = context.renderer
        return .data(.array(try found.map { try renderer.post($0) }))
    }

    /// Handles `DELETE posts/{id}`. Only the author can delete a post. The response contains the deleted form.
    func delete() throws -> AppNetResponse {
        let me = try context.me()
        let post = try finder.post()
        try require(post.user == me, or: .forbidden("This is not your post."))
        try require(!post.isDeleted, "You cannot delete a deleted post")
        let mentioned = Array(post.mentions.keys)
        // Earlier versions have annotations of their own.
        let versions = try [post] + tables.revisions.revisions(of: post.id).map(post.at)
        for version in versions { try tables.files.revoke(grantsOf: version.annotations) }
        try tables.attachments.remove(.post, post.id)
        let reposts = try tables.posts.delete(post.id)
        context.effects.append(AppNetEvent(kind: .post, object: post.id, actor: me, isDeleted: true, users: mentioned))
        context.effects += reposts.map { AppNetEvent(kind: .post, object: $0.id, actor: $0.user, isDeleted: true) }
        return .data(try context.renderer.post(finder.post()))
    }
}
