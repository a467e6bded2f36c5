internal import GRDB

/// Marks of pnut.io on objects, stored beside their rows: not safe for work, notes on bookmarks (AppNet.md §6.3).
struct PnutMarkTable {
    /// The kinds of objects that can be marked.
    enum Kind: String, Sendable {
        case post, message
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_nsfw", options: [.strict, .withoutRowID]) { table in
            table.column("kind", .text).notNull()
            table.column("object", .integer).notNull()
            table.primaryKey(["kind", "object"])
        }
        try database.create(table: "appnet_star_note", options: .strict) { table in
            table.primaryKey("star", .integer)
            table.column("note", .text).notNull()
        }
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_star_note_deletion AFTER DELETE ON appnet_star BEGIN
                DELETE FROM appnet_star_note WHERE star = old.id;
                END
                """
        )
        // Look-ups of tags pass over `_`.
        try database.execute(sql: "CREATE INDEX appnet_post_tag_key ON appnet_post_tag (REPLACE(tag, '_', ''), post)")
    }

    /// Whether an object is marked as not safe for work.
    func isNSFW(_ kind: Kind, _ object: Int64) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM appnet_nsfw WHERE kind = ? AND object = ?")
        return try Bool.fetchOne(statement, arguments: [kind.rawValue, object]) ?? false
    }

    func setNSFW(_ isNSFW: Bool, _ kind: Kind, _ object: Int64) throws {
        let sql =
            isNSFW
            ? "INSERT OR IGNORE INTO appnet_nsfw (kind, object) VALUES (?, ?)"
            : "DELETE FROM appnet_nsfw WHERE kind = ? AND object = ?"
        try database.execute(sql: sql, arguments: [kind.rawValue, object])
    }

    /// The note on a star, by the star's number.
    func note(on star: Int64) throws -> String? {
        try String.fetchOne(database, sql: "SELECT note FROM appnet_star_note WHERE star = ?", arguments: [star])
    }

    /// Keeps a note in the place of an earlier one.
    func setNote(_ note: String, on star: Int64) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO appnet_star_note (star, note) VALUES (?, ?)",
            arguments: [star, note]
        )
    }
}

extension AppNetCall {
    var marks: PnutMarkTable { PnutMarkTable(database: database) }
}
