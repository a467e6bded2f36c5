internal import GRDB
internal import HeliumServerKit

/// Deletes the rows of deleted objects in portions, because an object can have very many: replies to a post that are
/// interactions, the read tokens of a file, and the contents of files.
///
/// Such rows cannot be reached any more. The table of their objects is in the store, so that a restart does not leave
/// them.
struct RowRemoval {
    /// The rows of an object.
    enum Kind: String, CaseIterable, Sendable {
        /// The interactions on a post.
        case interactions
        /// The read tokens of a file.
        case grants
        /// The contents of a file.
        case contents
    }

    /// The number of rows, or of pages of contents, that are deleted in one transaction. It takes a few milliseconds.
    static let portion = 1_000
    /// The number of bytes of a content that are deleted about as fast as a row.
    private static let pageBytes = 4096

    let database: Database

    /// Creates the table, and the index and the trigger for interactions.
    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_removal", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.text, "kind")
            table.requiredColumns(.integer, "object")
            table.primaryKey(["kind", "object"])
        }
        try database.create(indexOn: "appnet_interaction", columns: ["object", "action"])
        // The trigger of earlier versions deleted all interactions of a post at once, and looked at those of all posts.
        try database.execute(
            sql: """
                DROP TRIGGER appnet_delete_interaction;
                CREATE TRIGGER appnet_delete_interaction AFTER UPDATE OF is_deleted ON appnet_post
                WHEN new.is_deleted BEGIN
                DELETE FROM appnet_interaction WHERE action IN ('reply', 'repost') AND cause = new.id;
                DELETE FROM appnet_interaction WHERE id IN
                (SELECT id FROM appnet_interaction WHERE object = new.id AND \(onPosts) LIMIT \(portion));
                INSERT OR IGNORE INTO appnet_removal (kind, object) SELECT 'interactions', new.id
                WHERE EXISTS (SELECT 1 FROM appnet_interaction WHERE object = new.id AND \(onPosts));
                END;
                """
        )
    }

    /// The condition for interactions whose object is a post.
    private static let onPosts = "action IN ('reply', 'repost', 'star')"

    /// The condition for interactions that are not being deleted.
    static let keepsInteraction = """
        NOT (\(onPosts) AND object IN (SELECT object FROM appnet_removal WHERE kind = 'interactions'))
        """

    /// Deletes the first rows of a deleted file.
    ///
    /// - Parameter left: The number of rows that may be deleted in this transaction.
    func removeRows(ofFile file: Int64, _ left: inout Int) throws {
        for kind in [Kind.grants, .contents] {
            if try left <= 0 || !delete(kind, of: file, &left) {
                try database.cachedStatement(sql: "INSERT OR IGNORE INTO appnet_removal (kind, object) VALUES (?, ?)")
                    .execute(arguments: [kind.rawValue, file])
            }
        }
    }

    /// Deletes a portion of the rows.
    ///
    /// - Returns: Whether more remain.
    func proceed(by portion: Int = Self.portion) throws -> Bool {
        var left = portion
        while let (kind, object) = try next() {
            guard left > 0 else { return true }
            if try delete(kind, of: object, &left) {
                try database.cachedStatement(sql: "DELETE FROM appnet_removal WHERE kind = ? AND object = ?")
                    .execute(arguments: [kind.rawValue, object])
            }
        }
        return false
    }

    /// Returns the next row; those that cannot be read are left to `helium serve --check`.
    private func next() throws -> (Kind, Int64)? {
        let kinds = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql:
                "SELECT kind, object FROM appnet_removal WHERE kind IN (\(kinds)) AND typeof(object) = 'integer' LIMIT 1"
        )
        guard let row = try Row.fetchOne(statement), let kind = Kind(rawValue: row["kind"]) else { return nil }
        return (kind, row["object"])
    }

    /// Deletes rows of an object while `left` is more than 0.
    ///
    /// - Returns: Whether none remain.
    private func delete(_ kind: Kind, of object: Int64, _ left: inout Int) throws -> Bool {
        let limit = left
        // An object without rows is work too.
        left -= 1
        switch kind {
        case .interactions:
            let rows = "SELECT id FROM appnet_interaction WHERE object = ? AND \(Self.onPosts) LIMIT ?"
            try database.cachedStatement(sql: "DELETE FROM appnet_interaction WHERE id IN (\(rows))")
                .execute(arguments: [object, limit])
        case .grants:
            let rows = "SELECT token FROM appnet_file_grant WHERE file = ? LIMIT ?"
            try database.cachedStatement(sql: "DELETE FROM appnet_file_grant WHERE token IN (\(rows))")
                .execute(arguments: [object, limit])
        case .contents:
            return try deleteContents(of: object, &left, limit)
        }
        let count = database.changesCount
        left -= count
        return count < limit
    }

    private func deleteContents(of file: Int64, _ left: inout Int, _ limit: Int) throws -> Bool {
        let next = try database.cachedStatement(sql: "SELECT key, size FROM appnet_file_content WHERE file = ? LIMIT 1")
        let deletion = try database.cachedStatement(sql: "DELETE FROM appnet_file_content WHERE file = ? AND key = ?")
        while let row = try Row.fetchOne(next, arguments: [file]) {
            // The first one is deleted, whatever its size is.
            guard left > 0 || left == limit - 1 else { return false }
            // Values of wrong types are deleted too.
            let (key, size): (DatabaseValue, DatabaseValue) = (row["key"], row["size"])
            try deletion.execute(arguments: [file, key])
            left -= 1 + max(0, Int.fromDatabaseValue(size) ?? 0) / Self.pageBytes
        }
        return true
    }
}
