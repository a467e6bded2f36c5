internal import AppNet
internal import GRDB

/// A deletion that was not sent to the service yet.
struct PendingDeletion: Sendable, Hashable {
    let messageID: String
    let channel: String
    let isClaimed: Bool
    let owner: String?
    /// The number of attempts that the service answered with a failure that may pass.
    let attempts: Int
    let nextAttempt: Milliseconds
}

extension PendingDeletionTable {
    /// Queues the deletion of a message. Does nothing if it is already queued.
    ///
    /// - Parameter snapshot: The content for undoing the deletion; `nil` if it cannot be undone.
    func insert(_ messageID: String, channel: String, snapshot: String? = nil) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO pending_message_deletion (message_id, channel_id, queue_seq, snapshot_json)
                VALUES (?, ?, (SELECT coalesce(max(queue_seq), 0) + 1 FROM pending_message_deletion), ?)
                ON CONFLICT (message_id) DO NOTHING
                """
        ).execute(arguments: [messageID, channel, snapshot])
    }

    /// Makes the deletion of a message final, because a copy of it is about to be deleted.
    ///
    /// Undoing it would leave no copy: another device may have kept that copy and deleted the message.
    func makeFinal(token: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_message_deletion SET snapshot_json = NULL
                WHERE snapshot_json IS NOT NULL AND json_extract(snapshot_json, '$.token') = ?
                """
        ).execute(arguments: [token])
    }

    /// Returns the oldest deletion of a channel that is not parked.
    func first(in channel: String) throws -> PendingDeletion? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT message_id, channel_id, claimed, owner, attempts, next_attempt_ms FROM pending_message_deletion
                WHERE channel_id = ? AND parked = 0 ORDER BY queue_seq LIMIT 1
                """
        )
        return try Row.fetchOne(statement, arguments: [channel]).map { row in
            PendingDeletion(
                messageID: row[0],
                channel: row[1],
                isClaimed: row[2],
                owner: row[3],
                attempts: row[4],
                nextAttempt: Milliseconds(row[5] as Int64)
            )
        }
    }

    /// Claims a deletion for one engine. It cannot be undone afterwards, unless the service refuses it.
    func claim(_ messageID: String, owner: String) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_message_deletion SET claimed = 1, owner = ? WHERE message_id = ?"
        ).execute(arguments: [owner, messageID])
        try DeletedIDTable(database: database).insert(messageID)
    }

    /// Takes back the first claim of a deletion, because its request did not leave the machine.
    func release(_ messageID: String) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_message_deletion SET claimed = 0, owner = NULL WHERE message_id = ?"
        ).execute(arguments: [messageID])
        try DeletedIDTable(database: database).delete(messageID)
    }

    func postpone(_ messageID: String, until next: Milliseconds, attempts: Int) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_message_deletion SET owner = NULL, attempts = ?, next_attempt_ms = ?
                WHERE message_id = ?
                """
        ).execute(arguments: [attempts, next.value, messageID])
    }

    func park(_ messageID: String, reason: String) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_message_deletion SET parked = 1, owner = NULL, last_error = ? WHERE message_id = ?"
        ).execute(arguments: [reason, messageID])
    }

    func delete(_ messageID: String) throws {
        try database.cachedStatement(sql: "DELETE FROM pending_message_deletion WHERE message_id = ?")
            .execute(arguments: [messageID])
    }

    /// Returns the undoable deletion of a message: the id on the service and the content.
    ///
    /// - Parameter id: The id of the message, which may be temporary.
    /// - Returns: `nil` if a request was made for the deletion and not refused, or if there is none.
    func undoable(_ id: Message.ID) throws -> (messageID: String, snapshot: String)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT message_id, snapshot_json FROM pending_message_deletion
                    WHERE (claimed = 0 OR parked = 1) AND snapshot_json IS NOT NULL AND \(Self.condition(id))
                    """
            ),
            arguments: [id.text]
        )
        return row.map { ($0[0], $0[1]) }
    }

    /// The condition for the deletion of a message whose id may be temporary.
    private static func condition(_ id: Message.ID) -> String {
        guard id.isTemporary else { return "message_id = ?1" }
        return """
            (json_extract(snapshot_json, '$.token') = ?1
                OR ?1 IN (SELECT value FROM json_each(snapshot_json, '$.formerIDs')))
            """
    }
}

// MARK: Parked deletions

extension PendingDeletionTable {
    /// Returns the deletions that the service refused, oldest first.
    func parked() throws -> [ParkedDeletion] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT message_id, channel_id, last_error, snapshot_json IS NOT NULL FROM pending_message_deletion
                WHERE parked = 1 ORDER BY queue_seq
                """
        )
        return try Row.fetchAll(statement).map { row in
            ParkedDeletion(
                messageID: Message.ID(row[0] as String),
                channelID: AppNetChannel.ID(row[1] as String),
                reason: row[2] ?? "",
                canBeCancelled: row[3]
            )
        }
    }

    /// Puts a parked deletion back into the queue, at its former position.
    ///
    /// - Returns: Whether there was one.
    func unpark(_ id: Message.ID) throws -> Bool {
        guard let messageID = try parked(id) else { return false }
        try database.cachedStatement(
            sql: """
                UPDATE pending_message_deletion SET parked = 0, attempts = 0, next_attempt_ms = 0, last_error = NULL
                WHERE message_id = ?
                """
        ).execute(arguments: [messageID])
        return true
    }

    /// Removes a parked deletion. The message is not fetched again.
    ///
    /// - Returns: Whether there was one.
    func discard(_ id: Message.ID) throws -> Bool {
        guard let messageID = try parked(id) else { return false }
        try delete(messageID)
        try DeletedIDTable(database: database).giveUp(messageID)
        return true
    }

    /// Removes the parked deletion of a message that the service no longer has.
    ///
    /// - Returns: Whether there was one.
    func endParked(_ messageID: String, channel: String) throws -> Bool {
        try database.cachedStatement(
            sql: "DELETE FROM pending_message_deletion WHERE message_id = ? AND channel_id = ? AND parked = 1"
        ).execute(arguments: [messageID, channel])
        return database.changesCount > 0
    }

    private func parked(_ id: Message.ID) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT message_id FROM pending_message_deletion WHERE parked = 1 AND \(Self.condition(id))"
            ),
            arguments: [id.text]
        )
    }
}
