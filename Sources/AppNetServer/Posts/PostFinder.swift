/// Finds the post that a path names.
struct PostFinder: RequestScoped {
    let context: AppNetContext

    /// The post that the path names.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if there is none.
    func post() throws -> PostRecord {
        guard let post = try tables.posts.post(context.id("id")) else { throw AppNetFailure.notFound }
        return post
    }

    /// The post that the path names, which must not be deleted and not be a repost.
    ///
    /// - Parameter verb: what the caller wants to do with it, for the error message
    func livePost(to verb: String) throws -> PostRecord {
        let post = try post()
        if post.isDeleted { throw AppNetFailure.badRequest("You cannot \(verb) a deleted post") }
        if post.repostOf != nil { throw AppNetFailure.badRequest("You cannot \(verb) a repost") }
        return post
    }
}
