internal import GRDB

/// The work after the last row of an import.
struct ImportCompletion {
    let database: Database
    let configuration: MessageManagerConfiguration
    let now: Milliseconds

    /// Builds the indexes and derived rows, and prepares the outbox to determine the outcome of its messages.
    ///
    /// - Parameter isSalvaged: Whether unusable rows are removed: those that refer to missing rows, which are rejected
    ///   otherwise, and messages with the documents of other messages.
    /// - Returns: The number of removed rows.
    /// - Throws: ``MessageBeastError/Kind/invalidImport`` for rows that refer to missing rows.
    func complete(lastLocalID: Int64, isSalvaged: Bool) throws -> Int {
        try StoreCheck(database: database).rebuild()
        let dropped = isSalvaged ? try dropUnusable() : 0
        if let violation = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
            throw MessageBeastError(
                .invalidImport,
                "a line of \(violation[0] as String) refers to a missing line of \(violation[2] as String)"
            )
        }
        try OutboxTable(database: database).determineAll()
        try keepLocalIDs(lastLocalID)
        try derive()
        return dropped
    }

    /// Prevents the local ids of removed messages from being reused, because a host may still hold some.
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

    /// Derives the rows of all messages with the configuration of this engine.
    ///
    /// Actions are kept as exported, because the messages alone do not describe the actions on unsent messages. An older
    /// version may have exported the action of a cancelled message, which is off.
    private func derive() throws {
        try database.execute(sql: "CREATE TEMP TABLE imported_spec AS SELECT * FROM action_spec")
        try MetaTable(database: database).set(.fingerprint, nil)
        let derivation = Rederivation(configuration: configuration, now: now)
        while try derivation.step(in: database) {}
        try database.execute(
            sql: """
                DELETE FROM action_spec WHERE action_local_id IN (SELECT action_local_id FROM imported_spec);
                INSERT INTO action_spec SELECT * FROM imported_spec
                WHERE action_local_id NOT IN (SELECT local_id FROM message WHERE hidden <> 0);
                DROP TABLE imported_spec
                """
        )
    }

    /// Removes messages with the documents of other messages, and rows that refer to rows that could not be read from a
    /// damaged file.
    ///
    /// - Returns: The number of rows.
    private func dropUnusable() throws -> Int {
        var dropped = 0
        for sql in [
            "DELETE FROM message WHERE \(StoreCheck.hasOtherDocument)",
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
        // The message would never be sent, so it is parked for a decision of the user.
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
