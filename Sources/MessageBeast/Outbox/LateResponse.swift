internal import GRDB
internal import HeliumCore

/// Handles the response to a message that is no longer in the outbox.
struct LateResponse {
    let database: Database
    let channel: ChannelRecord
    let derived: DerivedRows
    let random: RandomSource

    /// Queues the deletion of a message that was discarded while it was sent, or of the copy with the higher id of a
    /// message that was found by its token.
    func store(_ message: IncomingMessage, of row: OutboxRow) throws {
        let deletions = PendingDeletionTable(database: database)
        let stored = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, sort_key FROM message WHERE local_id = ?"),
            arguments: [row.localID]
        )
        guard let stored else {
            guard try deletions.pending(among: [message.id], in: channel.id).isEmpty else { return }
            try deletions.insert(message.id, channel: channel.id)
            try deletions.makeFinal(token: row.token)
            return
        }
        let id: String = stored[0]
        // A page contained the message, so there is nothing left to do.
        if id.hasSameBytes(as: message.id) { return }
        let copies = MessageCopies(database: database, derived: derived, channel: channel, random: random)
        if message.sortKey < stored[1] {
            try copies.replace(row.localID, id: id, by: message)
        } else {
            try copies.discard(message.id, besides: row.localID)
        }
    }
}
