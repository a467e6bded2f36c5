internal import GRDB

/// Deals with the response to a message that is not in the outbox any more.
struct LateResponse {
    let database: Database
    let derived: DerivedRows
    let channel: ChannelRecord

    /// Queues the deletion of a message that was discarded while it was sent, or of the copy with the higher id of one that was
    /// found by its token.
    func store(_ message: IncomingMessage, of row: OutboxRow) throws {
        let deletions = PendingDeletionTable(database: database)
        let stored = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, sort_key FROM message WHERE local_id = ?"),
            arguments: [row.localID]
        )
        guard let stored else {
            guard try deletions.pending(among: [message.id], in: channel.id).isEmpty else { return }
            try deletions.insert(message.id, channel: channel.id)
            return try deletions.makeFinal(token: row.token)
        }
        let (id, sortKey): (String, Int64) = (stored[0], stored[1])
        // A page has brought it: nothing is left to do.
        guard id != message.id else { return }
        guard message.sortKey < sortKey else { return try deletions.insert(message.id, channel: channel.id) }
        try deletions.insert(id, channel: channel.id)
        try MessageAdoption(database: database, derived: derived, channel: channel).rename(
            row.localID,
            from: id,
            to: message
        )
        try derived.replace(of: row.localID, with: message.derivation)
    }
}
