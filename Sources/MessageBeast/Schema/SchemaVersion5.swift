internal import GRDB

/// The fifth schema: deletions of files that wait for the user.
enum SchemaVersion5 {
    static let name = "messagebeast-5"

    static func migrate(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE pending_file_deletion ADD COLUMN parked INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE pending_file_deletion ADD COLUMN last_error TEXT;
                """
        )
    }
}
