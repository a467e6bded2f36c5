internal import AppNet
internal import GRDB

/// The rows of a transaction that may have made something due, and the loops that they concern.
///
/// Triggers of the writing connection note them, so code that writes a row cannot forget its loop. They compare nothing:
/// a loop that is woken too often finds nothing to do and sleeps again.
struct DueRows {
    let database: Database

    /// The notes of the triggers.
    private enum Note: String {
        case channel
        case file
        case files
        case geocoder
    }

    /// Creates the triggers for a connection. Does nothing if it has them.
    static func watch(_ database: Database) throws {
        let table = """
            CREATE TEMP TABLE IF NOT EXISTS due (kind TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID
            """
        try database.execute(sql: ([table] + triggers).joined(separator: ";\n"))
    }

    /// Returns the loops that the transaction concerns, in order, and forgets its notes.
    ///
    /// - Parameter writer: The writer, which continues by itself.
    func take(by writer: DueRowWriter?) throws -> [EngineLoop] {
        let rows = try Row.fetchAll(database.cachedStatement(sql: "SELECT kind, key FROM due ORDER BY kind, key"))
        guard !rows.isEmpty else { return [] }
        try database.cachedStatement(sql: "DELETE FROM due").execute()
        var channels: [String] = []
        var others: Set<EngineLoop> = []
        for row in rows {
            let key: String = row[1]
            switch Note(rawValue: row[0]) {
            case .channel: channels.append(key)
            case .file where writer == .upload(key): break
            case .file:
                let files = PendingFileTable(database: database)
                channels += try files.channels(waitingFor: key)
                if try !files.isUsed(key) { others.insert(.files) }
            case .files: others.insert(.files)
            case .geocoder: others.insert(.geocoder)
            case nil: break
            }
        }
        var seen: Set<AppNetChannel.ID> = []
        let woken = channels.map { AppNetChannel.ID($0) }.filter { writer != .sender($0) && seen.insert($0).inserted }
        return woken.map { .channel($0) } + [.files, .geocoder].filter(others.contains)
    }

    // MARK: Triggers

    private static let triggers = outbox + deletions + files + geocoding

    private static let outbox = [
        trigger("outbox_insert", "AFTER INSERT ON outbox", .channel, of: "message", where: "local_id = new.local_id"),
        trigger("outbox_update", "AFTER UPDATE ON outbox", .channel, of: "message", where: "local_id = new.local_id"),
        trigger("outbox_delete", "AFTER DELETE ON outbox", .channel, of: "message", where: "local_id = old.local_id"),
        // With its message, a row of the outbox is deleted when the channel is no longer known.
        trigger(
            "message_delete",
            "BEFORE DELETE ON message WHEN EXISTS (SELECT 1 FROM outbox WHERE local_id = old.local_id)",
            .channel,
            key: "old.channel_id"
        ),
        // An action waits while the id of its target is temporary.
        trigger(
            "action_update",
            """
            AFTER UPDATE OF target_message_id ON action_spec
            WHEN EXISTS (SELECT 1 FROM outbox WHERE local_id = new.action_local_id)
            """,
            .channel,
            key: "new.action_channel_id"
        ),
        trigger(
            "action_delete",
            "AFTER DELETE ON action_spec WHEN EXISTS (SELECT 1 FROM outbox WHERE local_id = old.action_local_id)",
            .channel,
            key: "old.action_channel_id"
        ),
    ]

    private static let deletions = [
        trigger("deletion_insert", "AFTER INSERT ON pending_message_deletion", .channel, key: "new.channel_id"),
        trigger("deletion_update", "AFTER UPDATE ON pending_message_deletion", .channel, key: "new.channel_id"),
        trigger("deletion_delete", "AFTER DELETE ON pending_message_deletion", .channel, key: "old.channel_id"),
    ]

    private static let files = [
        trigger("file_update", "AFTER UPDATE ON pending_file", .file, key: "new.id"),
        // The staged bytes are no longer needed.
        trigger("file_delete", "AFTER DELETE ON pending_file", .files, key: "''"),
        trigger("attachment_delete", "AFTER DELETE ON pending_file_attachment", .file, key: "old.pending_file_id"),
        trigger("file_deletion_insert", "AFTER INSERT ON pending_file_deletion", .files, key: "''"),
        trigger("file_deletion_update", "AFTER UPDATE ON pending_file_deletion", .files, key: "''"),
    ]

    private static let geocoding = [
        trigger("geocode_insert", "AFTER INSERT ON geocode_queue", .geocoder, key: "''"),
        trigger("geocode_update", "AFTER UPDATE ON geocode_queue", .geocoder, key: "''"),
    ]

    private static func trigger(_ name: String, _ event: String, _ note: Note, key: String) -> String {
        statement(name, event, note, "SELECT \(key) AS key")
    }

    private static func trigger(
        _ name: String,
        _ event: String,
        _ note: Note,
        of table: String,
        where condition: String
    ) -> String {
        statement(name, event, note, "SELECT channel_id AS key FROM \(table) WHERE \(condition)")
    }

    private static func statement(_ name: String, _ event: String, _ note: Note, _ keys: String) -> String {
        // Not INSERT OR IGNORE: the conflict handling of the statement that fires a trigger replaces that of the trigger.
        """
        CREATE TEMP TRIGGER IF NOT EXISTS due_\(name) \(event) BEGIN
            INSERT INTO due SELECT '\(note.rawValue)', found.key FROM (\(keys)) AS found
            WHERE NOT EXISTS (SELECT 1 FROM due WHERE kind = '\(note.rawValue)' AND key = found.key);
        END
        """
    }
}
