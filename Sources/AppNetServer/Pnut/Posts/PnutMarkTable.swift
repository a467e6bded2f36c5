internal import GRDB
internal import HeliumServerKit

/// The tables of pnut.io's marks on objects: not safe for work, and notes on bookmarks (Docs/Protocols/AppNet.md §6.3).
struct PnutMarkTable {
    /// The kinds of objects that can be marked.
    enum Kind: String, Sendable {
        case post, message
    }

    /// A record of an object that is not safe for work.
    private struct NSFW: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_nsfw"

        let kind: String
        let object: Int64
    }

    private struct StarNote: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_star_note"

        let star: Int64
        let note: String
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_nsfw", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.text, "kind")
            table.requiredColumns(.integer, "object")
            table.primaryKey(["kind", "object"])
        }
        try database.create(table: "appnet_star_note", options: .strict) { table in
            table.primaryKey("star", .integer)
            table.requiredColumns(.text, "note")
        }
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_star_note_deletion AFTER DELETE ON appnet_star BEGIN
                DELETE FROM appnet_star_note WHERE star = old.id;
                END
                """
        )
        // Look-ups of tags ignore `_`.
        try database.execute(sql: "CREATE INDEX appnet_post_tag_key ON appnet_post_tag (REPLACE(tag, '_', ''), post)")
    }

    /// Returns whether an object is marked as not safe for work.
    func isNSFW(_ kind: Kind, _ object: Int64) throws -> Bool {
        try NSFW.exists(database, where: "kind = ? AND object = ?", [kind.rawValue, object])
    }

    func setNSFW(_ isNSFW: Bool, _ kind: Kind, _ object: Int64) throws {
        let mark = NSFW(kind: kind.rawValue, object: object)
        if isNSFW {
            try mark.insert(database, onConflict: .ignore)
        } else {
            try mark.delete(database)
        }
    }

    /// Returns the note on a star, by the star's id.
    func note(on star: Int64) throws -> String? { try StarNote.fetchOne(database, where: "star = ?", [star])?.note }

    /// Stores a note. It replaces an earlier one.
    func setNote(_ note: String, on star: Int64) throws {
        try StarNote(star: star, note: note).insert(database, onConflict: .replace)
    }
}
