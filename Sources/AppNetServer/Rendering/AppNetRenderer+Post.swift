internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// The maximum number of users in a list of a post.
    private static let sampleSize = 10

    /// Returns the JSON object of a post (Docs/Protocols/AppNet.md §3.5). A deleted post has no text, HTML and
    /// annotations, and its entities are three empty lists. All readers may see all posts.
    func post(_ post: PostRecord) throws -> JSONValue {
        let table = PostTable(database: database)
        let author = try AppNetUserTable(database: database).user(post.user)
        var members: JSONObject = ["id": .id(post.id)]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members[name] = value }
        }
        add("user", try user(post.user))
        add("created_at", .string(AppNetDate.text(post.created)))
        members += textMembers(of: post)
        add("source", try source(post.client))
        add("reply_to", post.replyTo.map(JSONValue.id))
        add("thread_id", .id(post.thread))
        add("canonical_url", .string("https://alpha.app.net/\(author?.username ?? "unknown")/post/\(post.id)"))
        let counts = try table.counts(post.id)
        add("num_replies", .count(counts.replies))
        add("num_stars", .count(counts.stars))
        add("num_reposts", .count(counts.reposts))
        add("machine_only", .bool(post.isMachineOnly))
        if post.isDeleted { add("is_deleted", .bool(true)) }
        if isPersonal, let me = viewer.user {
            add("you_starred", .bool(try table.star(post.id, by: me) != nil))
            add("you_reposted", .bool(try table.repost(of: post.id, by: me) != nil))
        }
        members += try annotations(post.annotations, of: .post, isPublic: true)
        let sample = PageWindow(isAscending: false, limit: Self.sampleSize)
        if options.includesStarredBy {
            let stars = try table.stars(of: post.id, sample)
            add("starred_by", .array(try stars.compactMap { try user($0.user) }))
        }
        if options.includesReposters {
            let reposts = try table.reposts(of: post.id, sample)
            add("reposters", .array(try reposts.compactMap { try user($0.user) }))
        }
        if let original = try post.repostOf.flatMap(table.post) {
            add("repost_of", try self.post(version(of: original, shownBy: post)))
        }
        if options.dialect.extendsObjects { members += try pnutMembers(of: post) }
        return .object(members)
    }
}
