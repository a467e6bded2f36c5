internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// The post that the path names.
    ///
    /// - Throws: ``AppNetFailure`` with 404 where there is none.
    func post() throws -> PostRecord {
        guard let post = try posts.post(id("id")) else { throw AppNetFailure.notFound }
        return post
    }

    /// The post that the path names, which must be one to act on: neither deleted nor a repost.
    private func livePost(_ verb: String) throws -> PostRecord {
        let post = try post()
        if post.isDeleted { throw AppNetFailure.badRequest("You cannot \(verb) a deleted post") }
        if post.repostOf != nil { throw AppNetFailure.badRequest("You cannot \(verb) a repost") }
        return post
    }

    /// `POST posts`
    func createPost() throws -> AppNetAnswer {
        let me = try me()
        guard try posts.count() < maxima.posts else { throw AppNetFailure.full("posts") }
        let body = try body()
        let draft = try PostDraft(body, call: self)
        var post = PostRecord(
            id: 0,
            user: me,
            client: caller.token?.client ?? "",
            created: now,
            text: draft.text?.text,
            entities: draft.text?.entities ?? draft.mentions,
            annotations: draft.annotations,
            thread: 0,
            isMachineOnly: draft.isMachineOnly
        )
        if let text = body["reply_to"]?.lenientText {
            guard let parent = try Int64(text).flatMap(posts.post), !parent.isDeleted else {
                throw AppNetFailure.badRequest("You cannot reply to a post that does not exist")
            }
            guard parent.repostOf == nil else { throw AppNetFailure.badRequest("You cannot reply to a repost") }
            post.replyTo = parent.id
            post.thread = parent.thread
        }
        post.id = try posts.insert(post, startsThread: post.replyTo == nil)
        let content = draft.expanded(post.id)
        if content != (post.entities, post.annotations) {
            try posts.setContent(post.id, entities: content.entities, annotations: content.annotations)
        }
        try attachments.note(content.annotations, of: .post, post.id)
        let mentioned = Array(post.mentions.keys)
        effects.append(AppNetEvent(kind: .post, object: post.id, actor: me, users: mentioned))
        return .data(try renderer.post(posts.post(post.id) ?? post))
    }

    /// `GET posts?ids=`
    func postsByID() throws -> AppNetAnswer {
        let found = try parameters.ids().compactMap { try posts.post($0) }
        let renderer = renderer
        return .data(.array(try found.map { try renderer.post($0) }))
    }

    /// `DELETE posts/{id}`: the author's, and what remains of it.
    func deletePost() throws -> AppNetAnswer {
        let me = try me()
        let post = try post()
        guard post.user == me else { throw AppNetFailure.forbidden("This is not your post.") }
        guard !post.isDeleted else { throw AppNetFailure.badRequest("You cannot delete a deleted post") }
        let mentioned = Array(post.mentions.keys)
        try files.revoke(grantsOf: post.annotations)
        try attachments.remove(.post, post.id)
        let reposts = try posts.delete(post.id)
        effects.append(
            AppNetEvent(kind: .post, object: post.id, actor: me, isDeleted: true, users: mentioned)
        )
        effects += reposts.map { AppNetEvent(kind: .post, object: $0.id, actor: $0.user, isDeleted: true) }
        return .data(try renderer.post(self.post()))
    }

    /// `POST`, `DELETE posts/{id}/star`
    func setStar(_ isStarred: Bool) throws -> AppNetAnswer {
        let me = try me()
        let post = try livePost(isStarred ? "star" : "unstar")
        let wasStarred = try posts.star(post.id, by: me) != nil
        if isStarred != wasStarred {
            if isStarred {
                try posts.insertStar(post.id, by: me, at: now)
            } else {
                try posts.deleteStar(post.id, by: me)
            }
            effects.append(AppNetEvent(kind: .star, object: post.id, actor: me, isDeleted: !isStarred))
        }
        return .data(try renderer.post(post))
    }

    /// `POST posts/{id}/repost`: the repost, also where there was one already.
    func repost() throws -> AppNetAnswer {
        let me = try me()
        let original = try livePost("repost")
        guard original.user != me else { throw AppNetFailure.badRequest("You cannot repost your own post") }
        if let earlier = try posts.repost(of: original.id, by: me) { return .data(try renderer.post(earlier)) }
        guard try posts.count() < maxima.posts else { throw AppNetFailure.full("posts") }
        var post = PostRecord(
            id: 0,
            user: me,
            client: caller.token?.client ?? "",
            created: now,
            text: nil,
            thread: 0,
            repostOf: original.id,
            isMachineOnly: original.isMachineOnly
        )
        if let text = original.text, let author = try users.user(original.user) {
            (post.text, post.entities) = Self.repostText(text, original.entities, author: author)
        }
        post.id = try posts.insert(post, startsThread: true)
        effects.append(AppNetEvent(kind: .post, object: post.id, actor: me, users: [original.user]))
        return .data(try renderer.post(self.posts.post(post.id) ?? post))
    }

    /// `>> @name: text` with the entities where they are then.
    private static func repostText(
        _ text: String,
        _ entities: AppNetEntities,
        author: AppNetUser
    ) -> (String, AppNetEntities) {
        let prefix = ">> @\(author.username): "
        let shift = prefix.unicodeScalars.count
        var moved = entities
        for index in moved.mentions.indices {
            moved.mentions[index].position += shift
            moved.mentions[index].isLeading = false
        }
        for index in moved.hashtags.indices { moved.hashtags[index].position += shift }
        for index in moved.links.indices { moved.links[index].position += shift }
        let mention = AppNetEntities.Mention(
            name: author.username,
            id: author.id,
            position: 3,
            length: author.username.unicodeScalars.count + 1
        )
        moved.mentions.insert(mention, at: 0)
        return (prefix + text, moved)
    }

    /// `DELETE posts/{id}/repost`: the original.
    func deleteRepost() throws -> AppNetAnswer {
        let me = try me()
        let original = try post()
        if let repost = try posts.repost(of: original.id, by: me) {
            _ = try posts.delete(repost.id)
            effects.append(AppNetEvent(kind: .post, object: repost.id, actor: me, isDeleted: true))
        }
        return .data(try renderer.post(original))
    }

    /// `POST posts/{id}/report`: mutes the author.
    func reportPost() throws -> AppNetAnswer {
        let me = try me()
        let post = try post()
        guard post.user != me else { throw AppNetFailure.badRequest("You cannot report your own post") }
        try posts.insertReport(post.id, by: me, at: now)
        if try UserRelations(database: database).add(.mute, me, post.user, at: now) {
            effects.append(AppNetEvent(kind: .mute, object: post.user, actor: me))
        }
        return .data(try renderer.post(post))
    }

    /// `GET posts/{id}/stars`
    func starrers() throws -> AppNetAnswer {
        let post = try post()
        return try usersPage { try posts.stars(of: post.id, $0) }
    }

    /// `GET posts/{id}/reposters`
    func reposters() throws -> AppNetAnswer {
        let post = try post()
        return try usersPage { try posts.reposts(of: post.id, $0) }
    }

    private func usersPage(_ fetch: (PageWindow) throws -> [PostTable.Mark]) throws -> AppNetAnswer {
        let renderer = renderer
        return try page(
            fetch: fetch,
            id: \.id,
            includes: { try users.user($0.user) != nil },
            render: { try renderer.user($0.user) ?? .object([:]) }
        )
    }
}
