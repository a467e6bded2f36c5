internal import HeliumJSON
internal import HeliumServerKit

/// Stores posts and reposts, and records the events for streams (Docs/Protocols/AppNet.md §2.7).
struct PostWriter: RequestScoped {
    let context: AppNetContext

    /// Stores the body as a post of the caller.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid body.
    func create() throws -> PostRecord {
        let me = try context.me()
        try require(tables.posts.count() < context.maxima.posts, or: .full("posts"))
        let body = try context.body()
        let draft = try ContentDraft(body, in: .post, context: context)
        var post = PostRecord(
            id: 0,
            user: me,
            client: context.caller.token?.client ?? "",
            created: context.now,
            text: draft.text,
            entities: draft.entities,
            annotations: draft.annotations,
            thread: 0,
            isMachineOnly: draft.isMachineOnly
        )
        if let text = body["reply_to"]?.lenientText {
            guard let parent = try Int64(text).flatMap(tables.posts.post), !parent.isDeleted else {
                throw AppNetFailure.badRequest("You cannot reply to a post that does not exist")
            }
            try require(parent.repostOf == nil, "You cannot reply to a repost")
            post.replyTo = parent.id
            post.thread = parent.thread
        }
        post.id = try tables.posts.nextID()
        post.replaceTemplates(context.request.dialect.postTemplate, with: post.id)
        return try store(post, mentioning: Array(post.mentions.keys))
    }

    private func store(_ post: PostRecord, mentioning users: [Int64]) throws -> PostRecord {
        try tables.posts.insert(post)
        try tables.attachments.note(post.annotations, of: .post, post.id)
        context.effects.append(AppNetEvent(kind: .post, object: post.id, actor: post.user, users: users))
        return try tables.posts.post(post.id) ?? post
    }

    /// Reposts the post in the path. Returns the earlier repost if there is one.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for a post that cannot be reposted, and 404 if it does not exist.
    func repost() throws -> PostRecord {
        let me = try context.me()
        let original = try PostFinder(context).livePost(to: "repost")
        try require(original.user != me, "You cannot repost your own post")
        if let earlier = try tables.posts.repost(of: original.id, by: me) { return earlier }
        try require(tables.posts.count() < context.maxima.posts, or: .full("posts"))
        var post = PostRecord(
            id: 0,
            user: me,
            client: context.caller.token?.client ?? "",
            created: context.now,
            text: nil,
            thread: 0,
            repostOf: original.id,
            isMachineOnly: original.isMachineOnly
        )
        if let text = original.text, let author = try tables.users.user(original.user) {
            (post.text, post.entities) = Self.repostText(text, original.entities, author: author)
        }
        post.id = try tables.posts.nextID()
        return try store(post, mentioning: [original.user])
    }

    /// Returns the text `>> @name: text`, with the entities at their new positions.
    private static func repostText(
        _ text: String,
        _ entities: AppNetEntities,
        author: AppNetUser
    ) -> (String, AppNetEntities) {
        let prefix = ">> @\(author.username): "
        var moved = entities
        moved.movePositions { $0 + prefix.unicodeScalars.count }
        for index in moved.mentions.indices { moved.mentions[index].isLeading = false }
        let mention = AppNetEntities.Mention(
            name: author.username,
            id: author.id,
            position: 3,
            length: author.username.unicodeScalars.count + 1
        )
        moved.mentions.insert(mention, at: 0)
        return (prefix + text, moved)
    }
}
