internal import GRDB

/// The fifth schema: deletions of files that wait for the user, and an index for the position of the next deletion of a
/// message. Many are queued at once, for example when the actions of a duplicate channel move.
enum SchemaVersion5 {
    static let name = "messagebeast-5"

    static func migrate(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE pending_file_deletion ADD COLUMN parked INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE pending_file_deletion ADD COLUMN last_error TEXT;
                CREATE INDEX pending_message_deletion_sequence ON pending_message_deletion (queue_seq);
                """
        )
    }
}
