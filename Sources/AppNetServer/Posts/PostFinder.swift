/// Finds the post in a request's path.
struct PostFinder: RequestScoped {
    let context: AppNetContext

    /// Returns the post in the path.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if it does not exist.
    func post() throws -> PostRecord {
        guard let post = try tables.posts.post(context.id("id")) else { throw AppNetFailure.notFound }
        return post
    }

    /// Returns the post in the path, which must not be deleted and must not be a repost.
    ///
    /// - Parameter verb: The action of the caller, for the error message.
    func livePost(to verb: String) throws -> PostRecord {
        let post = try post()
        if post.isDeleted { throw AppNetFailure.badRequest("You cannot \(verb) a deleted post") }
        if post.repostOf != nil { throw AppNetFailure.badRequest("You cannot \(verb) a repost") }
        return post
    }
}
