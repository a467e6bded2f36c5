internal import GRDB
internal import HeliumServerKit

/// The table of posts. Deleted posts are kept, so the latest id equals the number of posts.
struct PostTable {
    /// A tag of a post.
    private struct Tag: Codable, PersistableRecord {
        static let databaseTableName = "appnet_post_tag"

        let tag: String
        let post: Int64
    }

    /// A user who is mentioned in a post.
    private struct Mention: Codable, PersistableRecord {
        static let databaseTableName = "appnet_post_mention"

        let user: Int64
        let post: Int64
        let isLeading: Bool

        enum CodingKeys: String, CodingKey {
            case user, post
            case isLeading = "is_leading"
        }
    }

    let database: Database

    private var index: SearchIndex { SearchIndex(.post, database) }

    func post(_ id: Int64) throws -> PostRecord? { try PostRecord.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the posts that meet a condition, in the order of a window. The condition is a literal in the source.
    func posts(
        where condition: String,
        _ arguments: StatementArguments = [],
        _ window: PageWindow
    ) throws -> [PostRecord] { try PostRecord.fetchAll(database, where: condition, arguments, window) }

    /// Returns the posts for a search, in a window of ids.
    ///
    /// - Parameter terms: The expression for the index; `nil` for all posts.
    func posts(matching terms: SearchExpression?, _ window: PageWindow) throws -> [PostRecord] {
        guard let terms else {
            return try posts(where: "repost_of IS NULL AND NOT is_deleted AND NOT machine_only", [], window)
        }
        return try index.objects(matching: terms, window)
    }

    func count() throws -> Int { Int(try PostRecord.lastID(database)) }

    /// Returns the id of the next post that is inserted in this transaction.
    func nextID() throws -> Int64 { try PostRecord.nextID(database) }

    /// Stores a new post. A thread of 0 starts a new thread.
    func insert(_ post: PostRecord) throws {
        var post = post
        if post.thread == 0 { post.thread = post.id }
        try post.insert(database)
        // Reposts are not added to tags, mentions and the search index. They are listed only with the posts of their
        // authors.
        guard post.repostOf == nil else { return }
        for tag in Set(post.hashtags.map(TextRules.composed)) {
            try Tag(tag: tag, post: post.id).insert(database, onConflict: .ignore)
        }
        for (user, isLeading) in post.mentions {
            try Mention(user: user, post: post.id, isLeading: isLeading).insert(database, onConflict: .ignore)
        }
        try setTerms(of: post)
    }

    /// Stores new content of a post.
    func update(_ post: PostRecord) throws {
        try post.update(database)
        try setTerms(of: post)
    }

    private func setTerms(of post: PostRecord) throws {
        if let text = post.processedText { try index.set(SearchTerms(text), of: post.id) }
    }

    /// Deletes a post and its reposts. Only the members of deleted posts are kept.
    ///
    /// - Returns: The reposts that were deleted too.
    func delete(_ id: Int64) throws -> [PostRecord] {
        let reposts = try PostRecord.fetchAll(database, where: "repost_of = ? AND NOT is_deleted", [id])
        try database.execute(
            sql: """
                UPDATE appnet_post SET is_deleted = 1, text = NULL, annotations = '[]',
                entities = '{"mentions":[],"hashtags":[],"links":[]}' WHERE id = :id OR repost_of = :id
                """,
            arguments: ["id": id]
        )
        // Mentions and tags are kept, because lists show deleted posts at their positions.
        try deleteStars(of: id)
        try index.remove(id)
        return reposts
    }

    /// Returns a user's repost of a post.
    func repost(of id: Int64, by user: Int64) throws -> PostRecord? {
        try PostRecord.fetchOne(database, where: "repost_of = ? AND user = ? AND NOT is_deleted", [id, user])
    }

    /// Returns the reposts of a post as marks of their authors.
    func reposts(of post: Int64, _ window: PageWindow) throws -> [Mark] {
        try PostRecord.fetchAll(database, where: "repost_of = ? AND NOT is_deleted", [post], window).map { repost in
            Mark(id: repost.id, post: post, user: repost.user)
        }
    }

    /// Returns the numbers of replies, stars and reposts of a post.
    func counts(_ id: Int64) throws -> (replies: Int, stars: Int, reposts: Int) {
        (
            try PostRecord.fetchCount(database, where: "reply_to = ? AND NOT is_deleted", [id]),
            try starCount(of: id),
            try PostRecord.fetchCount(database, where: "repost_of = ? AND NOT is_deleted", [id])
        )
    }

    /// Returns the number of posts of a user.
    func count(by user: Int64) throws -> Int {
        try PostRecord.fetchCount(database, where: "user = ? AND NOT is_deleted", [user])
    }

    /// Returns the number of posts that were created with an app.
    func count(client: String) throws -> Int {
        try PostRecord.fetchCount(database, where: "client = ? AND NOT is_deleted", [client])
    }

    /// Returns whether a post meets a condition. The condition is a literal in the source.
    func isIn(_ condition: String, _ post: Int64, viewer: Int64) throws -> Bool {
        try PostRecord.exists(database, where: "id = :id AND \(condition)", ["id": post, "me": viewer])
    }

    /// Returns the users that a post is directed to.
    func leadingMentions(_ id: Int64) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT user FROM appnet_post_mention WHERE post = ? AND is_leading"
        )
        return try Int64.fetchAll(statement, arguments: [id])
    }
}
