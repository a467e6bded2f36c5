internal import GRDB

/// The work after the last row of an import.
struct ImportCompletion {
    let database: Database
    let configuration: MessageManagerConfiguration
    let now: Milliseconds

    /// Makes the indexes and derived rows, and lets the outbox find out what became of its messages.
    ///
    /// - Parameter isSalvaged: Whether rows that refer to missing ones are removed instead of refused.
    /// - Returns: The number of rows that were removed.
    /// - Throws: ``MessageBeastError/Kind/invalidImport`` for rows that refer to missing ones.
    func complete(lastLocalID: Int64, isSalvaged: Bool) throws -> Int {
        try StoreCheck(database: database).rebuild()
        let dropped = isSalvaged ? try dropOrphans() : 0
        if let violation = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
            throw MessageBeastError(
                .invalidImport,
                "a line of \(violation[0] as String) refers to one of \(violation[2] as String) that is missing"
            )
        }
        try releaseClaims()
        try keepLocalIDs(lastLocalID)
        try derive()
        return dropped
    }

    /// Nobody holds a claim of another store. The one that was exported may have sent any of these messages since, so that
    /// each is looked for on the service before it is posted: above the newest message that was known at the time.
    private func releaseClaims() throws {
        try database.execute(
            sql: """
                UPDATE outbox SET state = 'sending', attempt_cursor = (
                    SELECT c.newest_cursor FROM message AS m JOIN channel AS c ON c.id = m.channel_id
                    WHERE m.local_id = outbox.local_id
                )
                WHERE state IN ('queued', 'uploading')
                """
        )
    }

    /// Local ids of removed messages are not given again: a host may still have some.
    private func keepLocalIDs(_ last: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO sqlite_sequence (name, seq)
                SELECT 'message', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'message')
                """
        )
        try database.execute(
            sql: "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'message' AND seq < ?1",
            arguments: [last]
        )
    }

    /// Derives the rows of all messages with the configuration of this engine. The actions are kept as they were exported:
    /// those on unsent messages are not in the messages alone.
    private func derive() throws {
        try database.execute(sql: "CREATE TEMP TABLE imported_spec AS SELECT * FROM action_spec")
        try MetaTable(database: database).set(.fingerprint, nil)
        let derivation = Rederivation(configuration: configuration, now: now)
        while try derivation.step(in: database) {}
        try database.execute(
            sql: """
                DELETE FROM action_spec WHERE action_local_id IN (SELECT action_local_id FROM imported_spec);
                INSERT INTO action_spec SELECT * FROM imported_spec;
                DROP TABLE imported_spec
                """
        )
    }

    /// Removes rows whose others could not be read from a damaged file.
    ///
    /// - Returns: The number of rows.
    private func dropOrphans() throws -> Int {
        var dropped = 0
        for sql in [
            "DELETE FROM message WHERE channel_id NOT IN (SELECT id FROM channel)",
            "DELETE FROM outbox WHERE local_id NOT IN (SELECT local_id FROM message)",
            "DELETE FROM pending_file_attachment WHERE local_id NOT IN (SELECT local_id FROM message)",
            "DELETE FROM pending_file_attachment WHERE pending_file_id NOT IN (SELECT id FROM pending_file)",
            "DELETE FROM action_spec WHERE action_local_id NOT IN (SELECT local_id FROM message)",
        ] {
            try database.execute(sql: sql)
            dropped += database.changesCount
        }
        try database.execute(
            sql: """
                UPDATE outbox SET depends_on_local_id = NULL
                WHERE depends_on_local_id NOT IN (SELECT local_id FROM message);
                UPDATE action_spec SET target_local_id = NULL
                WHERE target_local_id NOT IN (SELECT local_id FROM message);
                """
        )
        // A message that would never be sent: the user decides on it.
        try database.execute(
            sql: """
                INSERT INTO outbox (local_id, queue_seq, state, last_error_code, last_error_text)
                SELECT local_id, (SELECT coalesce(max(queue_seq), 0) FROM outbox) + row_number() OVER (ORDER BY local_id),
                    'parked', ?, 'its state could not be read from a damaged database'
                FROM message WHERE kind = 'unsent' AND local_id NOT IN (SELECT local_id FROM outbox)
                """,
            arguments: [OutboxTable.unknownOutcome]
        )
        return dropped
    }
}
