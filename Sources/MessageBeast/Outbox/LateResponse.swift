internal import GRDB

/// Deals with the response to a message that is not in the outbox any more.
struct LateResponse {
    let database: Database
    let channel: ChannelRecord

    /// Queues the deletion of a message that was discarded while it was sent, or of a second copy of one that was found by its
    /// token.
    func store(_ message: IncomingMessage, of row: OutboxRow) throws -> MessageAdoption.Result? {
        let stored = try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM message WHERE local_id = ?"),
            arguments: [row.localID]
        )
        // A page has brought it: nothing is left to do.
        guard stored != message.id else { return nil }
        try PendingDeletionTable(database: database).insert(message.id, channel: channel.id)
        return nil
    }
}
