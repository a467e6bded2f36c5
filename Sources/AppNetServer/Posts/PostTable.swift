internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored posts and stars.
struct PostTable {
    let database: Database

    func post(_ id: Int64) throws -> PostRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_post WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(PostRecord.init(row:))
    }

    /// The posts of a condition, which is spelt in this source, in the order of a window.
    func posts(
        where condition: String,
        _ arguments: StatementArguments = [],
        _ window: PageWindow
    ) throws -> [PostRecord] {
        // Not a cached statement: every window has its own text.
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_post WHERE \(condition)" + window.sql("id"),
            arguments: arguments
        ).map(PostRecord.init(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_post") ?? 0 }

    /// Stores a new post, whatever its id says, and gives its id. One that starts a thread becomes the thread.
    func insert(_ post: PostRecord, startsThread: Bool) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO appnet_post (user, client, created, text, entities, annotations, thread, reply_to,
                repost_of, machine_only, is_deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                """,
            arguments: [
                post.user, post.client, post.created, post.text, post.entities.json.text(),
                JSONValue.array(post.annotations).text(), post.thread, post.replyTo, post.repostOf, post.isMachineOnly,
            ]
        )
        let id = database.lastInsertedRowID
        if startsThread {
            try database.execute(sql: "UPDATE appnet_post SET thread = id WHERE id = ?", arguments: [id])
        }
        // A repost is found by its original's words nowhere but where its author is followed.
        guard post.repostOf == nil else { return id }
        for tag in post.hashtags {
            try database.execute(
                sql: "INSERT OR IGNORE INTO appnet_post_tag (tag, post) VALUES (?, ?)",
                arguments: [tag, id]
            )
        }
        for (user, isLeading) in post.mentions {
            try database.execute(
                sql: "INSERT OR IGNORE INTO appnet_post_mention (user, post, is_leading) VALUES (?, ?, ?)",
                arguments: [user, id, isLeading]
            )
        }
        return id
    }

    /// Writes text and annotations that became known with the id: templates (§3.6).
    func setContent(_ id: Int64, entities: AppNetEntities, annotations: [JSONValue]) throws {
        try database.execute(
            sql: "UPDATE appnet_post SET entities = ?, annotations = ? WHERE id = ?",
            arguments: [entities.json.text(), JSONValue.array(annotations).text(), id]
        )
    }

    /// Leaves of a post, and of its reposts, what deleted ones show.
    ///
    /// - Returns: the reposts that went with it.
    func delete(_ id: Int64) throws -> [PostRecord] {
        let reposts = try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_post WHERE repost_of = ? AND NOT is_deleted",
            arguments: [id]
        ).map(PostRecord.init(row:))
        try database.execute(
            sql: """
                UPDATE appnet_post SET is_deleted = 1, text = NULL, annotations = '[]',
                entities = '{"mentions":[],"hashtags":[],"links":[]}' WHERE id = :id OR repost_of = :id
                """,
            arguments: ["id": id]
        )
        // Mentions and tags stay: lists show deleted posts where they stood.
        try database.execute(sql: "DELETE FROM appnet_star WHERE post = ?", arguments: [id])
        return reposts
    }

    /// A user's repost of a post.
    func repost(of id: Int64, by user: Int64) throws -> PostRecord? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM appnet_post WHERE repost_of = ? AND user = ? AND NOT is_deleted"
        )
        return try Row.fetchOne(statement, arguments: [id, user]).map(PostRecord.init(row:))
    }

    /// How many replies, stars and reposts a post has.
    func counts(_ id: Int64) throws -> (replies: Int, stars: Int, reposts: Int) {
        func count(_ sql: String) throws -> Int {
            try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [id]) ?? 0
        }
        return (
            try count("SELECT COUNT(*) FROM appnet_post WHERE reply_to = ? AND NOT is_deleted"),
            try count("SELECT COUNT(*) FROM appnet_star WHERE post = ?"),
            try count("SELECT COUNT(*) FROM appnet_post WHERE repost_of = ? AND NOT is_deleted")
        )
    }

    /// The users to whom a post is directed.
    func leadingMentions(_ id: Int64) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT user FROM appnet_post_mention WHERE post = ? AND is_leading"
        )
        return try Int64.fetchAll(statement, arguments: [id])
    }
}

extension PostTable {
    /// A star or a repost in the lists of those who gave them.
    struct Mark: Hashable, Sendable {
        /// The pagination id.
        let id: Int64
        let post: Int64
        let user: Int64
    }

    func star(_ post: Int64, by user: Int64) throws -> Mark? {
        let statement = try database.cachedStatement(
            sql: "SELECT id, post, user FROM appnet_star WHERE post = ? AND user = ?"
        )
        return try Row.fetchOne(statement, arguments: [post, user]).map(Mark.init(row:))
    }

    func insertStar(_ post: Int64, by user: Int64, at now: Int64) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO appnet_star (post, user, created) VALUES (?, ?, ?)",
            arguments: [post, user, now]
        )
    }

    func deleteStar(_ post: Int64, by user: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_star WHERE post = ? AND user = ?", arguments: [post, user])
    }

    /// The stars of a post, or those that a user gave.
    func stars(of post: Int64? = nil, by user: Int64? = nil, _ window: PageWindow) throws -> [Mark] {
        let condition = post == nil ? "user = ?" : "post = ?"
        return try Row.fetchAll(
            database,
            sql: "SELECT id, post, user FROM appnet_star WHERE \(condition)" + window.sql("id"),
            arguments: [post ?? user]
        ).map(Mark.init(row:))
    }

    func reposts(of post: Int64, _ window: PageWindow) throws -> [Mark] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, repost_of AS post, user FROM appnet_post WHERE repost_of = ? AND NOT is_deleted"
                + window.sql("id"),
            arguments: [post]
        ).map(Mark.init(row:))
    }

    func insertReport(_ post: Int64, by user: Int64, at now: Int64) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO appnet_report (post, user, created) VALUES (?, ?, ?)",
            arguments: [post, user, now]
        )
    }
}

extension PostTable.Mark {
    fileprivate init(row: Row) { self.init(id: row["id"], post: row["post"], user: row["user"]) }
}

extension PostRecord {
    init(row: Row) {
        self.init(
            id: row["id"],
            user: row["user"],
            client: row["client"],
            created: row["created"],
            text: row["text"],
            entities: AppNetEntities(stored: JSONValue.parse(row["entities"]) ?? .null),
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? [],
            thread: row["thread"],
            replyTo: row["reply_to"],
            repostOf: row["repost_of"],
            isMachineOnly: row["machine_only"],
            isDeleted: row["is_deleted"]
        )
    }
}

extension AppNetCall {
    var posts: PostTable { PostTable(database: database) }
}
