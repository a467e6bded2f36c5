internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// Earlier versions of posts (AppNet.md §6.2).
struct PostRevisionTable {
    /// A version that another one took the place of.
    struct Revision: Hashable, Sendable {
        /// From 0.
        let number: Int
        let text: String
        let entities: AppNetEntities
        let annotations: [JSONValue]
        let isNSFW: Bool
        /// The latest post when it was replaced: reposts up to there show this version.
        let lastPost: Int64
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_post_revision", options: .strict) { table in
            table.column("post", .integer).notNull()
            table.column("number", .integer).notNull()
            table.column("text", .text).notNull()
            table.column("entities", .text).notNull()
            table.column("annotations", .text).notNull()
            table.column("is_nsfw", .integer).notNull()
            table.column("last_post", .integer).notNull()
            table.primaryKey(["post", "number"])
        }
        // What is deleted is gone, not hidden.
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_post_revision_deletion AFTER UPDATE OF is_deleted ON appnet_post
                WHEN new.is_deleted BEGIN
                DELETE FROM appnet_post_revision WHERE post = new.id;
                END
                """
        )
    }

    /// The earlier versions of a post, the latest first.
    func revisions(of post: Int64) throws -> [Revision] {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM appnet_post_revision WHERE post = ? ORDER BY number DESC"
        )
        return try Row.fetchAll(statement, arguments: [post]).map { row in
            Revision(
                number: row["number"],
                text: row["text"],
                entities: AppNetEntities(stored: JSONValue.parse(row["entities"]) ?? .null),
                annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? [],
                isNSFW: row["is_nsfw"],
                lastPost: row["last_post"]
            )
        }
    }

    /// Keeps what a post says until now.
    func insert(_ post: PostRecord, number: Int, isNSFW: Bool) throws {
        try database.execute(
            sql: """
                INSERT INTO appnet_post_revision (post, number, text, entities, annotations, is_nsfw, last_post)
                VALUES (?, ?, ?, ?, ?, ?, (SELECT MAX(id) FROM appnet_post))
                """,
            arguments: [
                post.id, number, post.text ?? "", post.entities.json.text(), JSONValue.array(post.annotations).text(),
                isNSFW,
            ]
        )
    }

    /// Gives a post another content.
    func replace(_ id: Int64, text: String?, entities: AppNetEntities, annotations: [JSONValue]) throws {
        try database.execute(
            sql: "UPDATE appnet_post SET text = ?, entities = ?, annotations = ? WHERE id = ?",
            arguments: [text, entities.json.text(), JSONValue.array(annotations).text(), id]
        )
    }
}

extension PostRecord {
    /// The post as it was at a revision.
    func at(_ revision: PostRevisionTable.Revision) -> PostRecord {
        var post = self
        post.text = revision.text
        post.entities = revision.entities
        post.annotations = revision.annotations
        post.revision = revision.number
        return post
    }
}
