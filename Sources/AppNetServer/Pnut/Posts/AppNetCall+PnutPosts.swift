internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls on posts (AppNet.md §6.2).
extension AppNetCall {
    /// The time after its creation in which a post can be revised, in seconds.
    private static let revisionTime: Int64 = 300
    /// The longest note on a bookmark, in code points.
    private static let maximumNote = 128

    private var revisions: PostRevisionTable { PostRevisionTable(database: database) }

    // MARK: Creating and revising

    /// `POST posts`: as App.net's, with `is_nsfw`, and `update_marker=1` for the personal stream.
    func createPnutPost() throws -> AppNetAnswer {
        let answer = try createPost()
        guard let post = try createdPost(answer) else { return answer }
        try marks.setNSFW(isNSFW(try body(), post.entities), .post, post.id)
        if parameters.flag("update_marker") ?? false {
            try setMarker("unified", item: post.id, percentage: 0, resets: false)
        }
        return .data(try renderer.post(post))
    }

    /// `PUT posts/{id}/repost`: the repost may be marked though its original is not.
    func pnutRepost() throws -> AppNetAnswer {
        let answer = try repost()
        guard let post = try createdPost(answer), (try body())["is_nsfw"]?.lenientFlag ?? false else { return answer }
        try marks.setNSFW(true, .post, post.id)
        return .data(try renderer.post(post))
    }

    private func createdPost(_ answer: AppNetAnswer) throws -> PostRecord? {
        guard case .data(let data) = answer.content else { return nil }
        return try data["id"]?.stringValue.flatMap { Int64($0) }.flatMap(posts.post)
    }

    /// Whether a body marks what it makes: by the flag, else by the tag `#nsfw`.
    func isNSFW(_ body: JSONValue, _ entities: AppNetEntities) -> Bool {
        body["is_nsfw"]?.lenientFlag ?? entities.hashtags.contains { $0.name == "nsfw" }
    }

    /// `PUT posts/{id}`: another text with the same entities, once and soon after the first.
    func revisePost() throws -> AppNetAnswer {
        let me = try me()
        let old = try post()
        guard old.user == me else { throw AppNetFailure.forbidden("This is not your post.") }
        guard !old.isDeleted, old.repostOf == nil, old.text != nil else {
            throw AppNetFailure.badRequest("Deleted posts and reposts cannot be revised.")
        }
        guard now - old.created <= Self.revisionTime else {
            throw AppNetFailure.badRequest("A post can be revised for \(Self.revisionTime) seconds.")
        }
        let earlier = try revisions.revisions(of: old.id)
        guard earlier.isEmpty else { throw AppNetFailure.badRequest("A post can be revised once.") }
        let body = try body()
        let draft = try PostDraft(body, call: self)
        let content = draft.expanded(old.id)
        guard content.entities.hasSameTargets(as: old.entities) else {
            throw AppNetFailure.badRequest("A revision has the same mentions, tags and links as the post.")
        }
        let wasNSFW = try marks.isNSFW(.post, old.id)
        try revisions.insert(old, number: earlier.count, isNSFW: wasNSFW)
        let annotations = body["annotations"] == nil ? old.annotations : content.annotations
        try revisions.replace(old.id, text: draft.text?.text, entities: content.entities, annotations: annotations)
        if body["annotations"] != nil {
            try attachments.remove(.post, old.id)
            try attachments.note(annotations, of: .post, old.id)
        }
        if let flag = body["is_nsfw"]?.lenientFlag { try marks.setNSFW(flag, .post, old.id) }
        var event = AppNetEvent(kind: .post, object: old.id, actor: me, users: Array(old.mentions.keys))
        event.revision = earlier.count + 1
        effects.append(event)
        return .data(try renderer.post(post()))
    }

    /// `GET posts/{id}/revisions`: the earlier versions, without the one that is shown now.
    func listRevisions() throws -> AppNetAnswer {
        let post = try post()
        let renderer = renderer
        return .data(.array(try revisions.revisions(of: post.id).map { try renderer.post(post.at($0)) }))
    }

    // MARK: Bookmarks and tags

    /// `PUT posts/{id}/bookmark`: with a note for the caller alone.
    func bookmarkPost() throws -> AppNetAnswer {
        let note = try body()["note"]
        guard
            note == nil || note == .null
                || note?.stringValue.map({ $0.unicodeScalars.count <= Self.maximumNote })
                    ?? false
        else { throw AppNetFailure.badRequest("note must be a text of at most \(Self.maximumNote) characters.") }
        let answer = try setStar(true)
        if let note = note?.stringValue, let star = try posts.star(id("id"), by: me()) {
            try marks.setNote(note, on: star.id)
        }
        return answer
    }

    /// `GET users/{user}/bookmarks`: the caller's own have their notes.
    func listBookmarks() throws -> AppNetAnswer {
        let isMine = try user().id == caller.user
        var answer = try starredPosts()
        guard isMine, case .data(.array(let posts)) = answer.content else { return answer }
        let noted = try posts.map { post -> JSONValue in
            guard let star = post["pagination_id"]?.stringValue.flatMap({ Int64($0) }),
                let note = try marks.note(on: star)
            else { return post }
            var post = post
            post["note"] = .string(note)
            return post
        }
        answer.content = .data(.array(noted))
        return answer
    }

    /// `GET posts/tags/{tag}`: whatever the letter case, and whatever `_` there are.
    func listPnutTaggedPosts() throws -> AppNetAnswer {
        let tag = segment("hashtag").lowercased()
        return try postPage(
            where: "id IN (SELECT post FROM appnet_post_tag WHERE REPLACE(tag, '_', '') = ?)",
            [PnutText.tagKey(tag)],
            marker: "tag:\(tag)"
        )
    }
}

extension AppNetEntities {
    /// Whether mentions, tags and links name the same users, words and URLs, wherever they stand.
    fileprivate func hasSameTargets(as other: Self) -> Bool {
        Set(mentions.map(\.id)) == Set(other.mentions.map(\.id))
            && Set(hashtags.map { PnutText.tagKey($0.name) }) == Set(other.hashtags.map { PnutText.tagKey($0.name) })
            && Set(links.map(\.url)) == Set(other.links.map(\.url))
    }
}
