internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls for posts (Docs/Protocols/AppNet.md §6.2).
struct PnutPostHandlers: RequestScoped {
    /// The time after the creation of a post during which it can be revised, in seconds.
    private static let revisionTime: Int64 = 300

    let context: AppNetContext

    /// Handles `POST posts`. Also accepts `is_nsfw`. `update_marker=1` sets the marker of the personal stream.
    func create() throws -> AppNetResponse {
        let post = try PostWriter(context).create()
        try tables.marks.setNSFW(post.entities.isNSFW(in: context.body()), .post, post.id)
        if context.parameters.flag("update_marker") ?? false { try MarkerWriter(context).set("unified", item: post.id) }
        return .data(try context.renderer.post(post))
    }

    /// Handles `PUT posts/{id}/repost`. `is_nsfw` marks only the repost.
    func repost() throws -> AppNetResponse {
        let post = try PostWriter(context).repost()
        if try context.body()["is_nsfw"]?.lenientFlag ?? false { try tables.marks.setNSFW(true, .post, post.id) }
        return .data(try context.renderer.post(post))
    }

    /// Handles `PUT posts/{id}`. Replaces the text once, within a limited time after the creation. The entities must
    /// stay the same.
    func revise() throws -> AppNetResponse {
        let me = try context.me()
        let old = try PostFinder(context).post()
        try require(old.user == me, or: .forbidden("This is not your post."))
        guard !old.isDeleted, old.repostOf == nil, old.text != nil else {
            throw AppNetFailure.badRequest("Deleted posts and reposts cannot be revised.")
        }
        guard context.now - old.created <= Self.revisionTime else {
            throw AppNetFailure.badRequest("A post can be revised for \(Self.revisionTime) seconds.")
        }
        let earlier = try tables.revisions.revisions(of: old.id)
        try require(earlier.isEmpty, "A post can be revised once.")
        let body = try context.body()
        var content = try ContentDraft(body, in: .post, context: context)
        content.replaceTemplates(context.request.dialect.postTemplate, with: old.id)
        guard content.entities.hasSameTargets(as: old.entities, context.request.dialect.text) else {
            throw AppNetFailure.badRequest("A revision has the same mentions, tags and links as the post.")
        }
        let wasNSFW = try tables.marks.isNSFW(.post, old.id)
        try tables.revisions.insert(old, number: earlier.count, isNSFW: wasNSFW)
        let annotations = body["annotations"] == nil ? old.annotations : content.annotations
        var revised = old
        (revised.text, revised.entities, revised.annotations) = (content.text, content.entities, annotations)
        try tables.posts.update(revised)
        if body["annotations"] != nil {
            try tables.attachments.remove(.post, old.id)
            try tables.attachments.note(annotations, of: .post, old.id)
        }
        if let flag = body["is_nsfw"]?.lenientFlag { try tables.marks.setNSFW(flag, .post, old.id) }
        var event = AppNetEvent(kind: .post, object: old.id, actor: me, users: Array(old.mentions.keys))
        event.revision = earlier.count + 1
        context.effects.append(event)
        return .data(try context.renderer.post(PostFinder(context).post()))
    }

    /// Handles `GET posts/{id}/revisions`. Returns the earlier versions, without the current one.
    func listRevisions() throws -> AppNetResponse {
        let post = try PostFinder(context).post()
        let renderer = context.renderer
        return .data(.array(try tables.revisions.revisions(of: post.id).map { try renderer.post(post.at($0)) }))
    }

    /// Handles `GET posts/tags/{tag}`. Case and `_` are ignored.
    func listTagged() throws -> AppNetResponse {
        let tag = context.segment("hashtag").lowercased()
        let key = context.request.dialect.text.tagKey(tag)
        return try PostPager(context).page(
            where: "id IN (SELECT post FROM appnet_post_tag WHERE REPLACE(tag, '_', '') IN (?, ?))",
            [key, TextRules.composed(key)],
            marker: "tag:\(tag)"
        )
    }

    /// Handles `GET posts/{id}/interactions`. Returns the interactions with a post, not grouped.
    func listInteractions() throws -> AppNetResponse {
        let post = try PostFinder(context).post()
        let renderer = context.renderer
        let actions = context.parameters.list("interaction_actions").map(Set.init) ?? ["reply", "repost", "star"]
        return try context.page(
            fetch: { try tables.interactions.records(on: post.id, $0) },
            id: \.id,
            includes: { actions.contains($0.action) },
            render: { try renderer.interaction(InteractionGroup($0)) }
        )
    }
}

extension AppNetEntities {
    /// Returns whether a body with these entities is marked as not safe for work, by its flag or, without a flag, by
    /// the tag `#nsfw`.
    func isNSFW(in body: JSONValue) -> Bool {
        body["is_nsfw"]?.lenientFlag ?? hashtags.contains { $0.name == "nsfw" }
    }

    /// Returns whether mentions, tags and links refer to the same users, words and URLs, at any positions.
    fileprivate func hasSameTargets(as other: Self, _ rules: TextRules) -> Bool {
        Set(mentions.map(\.id)) == Set(other.mentions.map(\.id))
            && Set(hashtags.map { rules.tagKey($0.name) }) == Set(other.hashtags.map { rules.tagKey($0.name) })
            && Set(links.map(\.url)) == Set(other.links.map(\.url))
    }
}
