internal import GRDB
internal import HeliumCore

/// Replaces an unsent message by the message on the service (Docs/Protocols/MessageBeast.md §4.3).
struct MessageAdoption {
    let database: Database
    let derived: DerivedRows
    let channel: ChannelRecord
    let random: RandomSource

    /// The outcome of an unsent message.
    enum Result: Sendable {
        case sent
        /// The message was deleted while it was sent. Its deletion on the service is queued.
        case deleted
    }

    /// Replaces the content and the id of an unsent message. Its local identity remains.
    func adopt(_ row: OutboxRow, as message: IncomingMessage) throws -> Result {
        let localID = row.localID
        if row.isCancelled {
            try PendingDeletionTable(database: database).insert(message.id, channel: channel.id)
            try MessageRemoval(database: database).remove([localID])
            return .deleted
        }
        if let other = try MessageTable(database: database).localIDs(of: [message.id])[message.id], other != localID {
            try merge(other, into: localID)
        }
        let target = try ActionSpecTable(database: database).targetID(of: localID)
        try rename(localID, from: row.token, to: message)
        try derived.replace(of: localID, with: message.derivation)
        try PendingFileTable(database: database).detach(localID)
        for sql in [
            "DELETE FROM outbox WHERE local_id = ?",
            "UPDATE outbox SET depends_on_local_id = NULL WHERE depends_on_local_id = ?",
        ] {
            try database.cachedStatement(sql: sql).execute(arguments: [localID])
        }
        if let target, let posted = message.derivation.targetMessageID, !posted.hasSameBytes(as: target) {
            try follow(target, of: localID)
            return .deleted
        }
        return .sent
    }

    /// Applies an action to the remaining one of two copies, because the action was being sent for the other one.
    private func follow(_ target: String, of action: Int64) throws {
        try MessageDeletion.delete(action, in: database)
        let writer = ActionWriter(
            database: database,
            channel: channel,
            configuration: derived.configuration,
            now: derived.now,
            random: random
        )
        _ = try writer.apply(to: [ActionTarget(serverID: target, in: database)])
    }

    /// Gives a stored message another id and content.
    func rename(_ localID: Int64, from oldID: String, to message: IncomingMessage) throws {
        try database.cachedStatement(
            sql: """
                UPDATE message SET id = ?, sort_key = ?, created_ms = ?, display_date_ms = ?, json_version = ?, text = ?,
                    json = ?, kind = 'sent', hidden = 0
                WHERE local_id = ?
                """
        ).execute(arguments: [
            message.id, message.sortKey, message.created.value, message.derivation.displayDate.value,
            IncomingMessage.jsonVersion, message.derivation.text, message.json, localID,
        ])
        // Actions name the message by its id.
        try database.cachedStatement(
            sql: """
                UPDATE action_spec SET target_message_id = ?1, target_local_id = ?2
                WHERE target_local_id = ?2 OR (target_message_id = ?3 AND action_channel_id IN (SELECT id FROM channel))
                """
        ).execute(arguments: [message.id, localID, oldID])
        // Actions of other devices may have arrived before the message.
        for action in try ChannelTable(database: database).actionChannels(target: channel.id) {
            try ActionSpecTable(database: database).resolve(targets: localID...localID, channel: action)
        }
    }

    /// Moves the references to a message that a fetch has already stored to the message that was written here.
    private func merge(_ other: Int64, into localID: Int64) throws {
        for sql in [
            "UPDATE action_spec SET target_local_id = ?1 WHERE target_local_id = ?2",
            "UPDATE outbox SET depends_on_local_id = ?1 WHERE depends_on_local_id = ?2",
        ] {
            try database.cachedStatement(sql: sql).execute(arguments: [localID, other])
        }
        try database.cachedStatement(sql: "DELETE FROM message WHERE local_id = ?").execute(arguments: [other])
    }
}
