internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The table of earlier versions of posts (Docs/Protocols/AppNet.md §6.2).
struct PostRevisionTable {
    /// A version that was replaced by another one.
    struct Revision: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_post_revision"

        let post: Int64
        /// The number of the version. The first is 0.
        let number: Int
        let text: String
        @JSONText var entities: AppNetEntities
        @JSONText var annotations: [JSONValue]
        let isNSFW: Bool
        /// The id of the latest post when this version was replaced. Reposts up to that id show this version.
        let lastPost: Int64

        enum CodingKeys: String, CodingKey {
            case post, number, text, entities, annotations
            case isNSFW = "is_nsfw"
            case lastPost = "last_post"
        }
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_post_revision", options: .strict) { table in
            table.requiredColumns(.integer, "post", "number")
            table.requiredColumns(.text, "text", "entities", "annotations")
            table.requiredColumns(.integer, "is_nsfw", "last_post")
            table.primaryKey(["post", "number"])
        }
        // Versions of a deleted post are erased, not hidden.
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_post_revision_deletion AFTER UPDATE OF is_deleted ON appnet_post
                WHEN new.is_deleted BEGIN
                DELETE FROM appnet_post_revision WHERE post = new.id;
                END
                """
        )
    }

    /// Returns the earlier versions of a post, latest first.
    func revisions(of post: Int64) throws -> [Revision] {
        try Revision.fetchAll(database, where: "post = ? ORDER BY number DESC", [post])
    }

    /// Stores the current version of a post.
    func insert(_ post: PostRecord, number: Int, isNSFW: Bool) throws {
        try Revision(
            post: post.id,
            number: number,
            text: post.text ?? "",
            entities: post.entities,
            annotations: post.annotations,
            isNSFW: isNSFW,
            lastPost: PostRecord.lastID(database)
        ).insert(database)
    }
}

extension PostRecord {
    /// Returns the post at a revision.
    func at(_ revision: PostRevisionTable.Revision) -> PostRecord {
        var post = self
        post.text = revision.text
        post.entities = revision.entities
        post.annotations = revision.annotations
        post.revision = revision.number
        return post
    }
}
