/// The messages that a look-up found.
struct FoundMessages {
    var messages: [MessagePlus] = []
    /// The position of each message by rank; `nil` in another order.
    var ranks: [RankCursor?] = []
    /// The stored messages whose documents cannot be read.
    var unreadable: [MessagePlus.ID] = []

    /// The number of rows, unreadable ones included.
    var rowCount = 0
    /// The positions of the last row.
    var last: MessageCursor?
    var lastRank: RankCursor?

    /// Adds what a look-up from the last position found.
    mutating func append(_ next: FoundMessages) {
        messages += next.messages
        ranks += next.ranks
        unreadable += next.unreadable
        rowCount += next.rowCount
        last = next.last ?? last
        lastRank = next.lastRank ?? lastRank
    }

    /// Leaves out what is beyond a limit.
    mutating func truncate(to limit: Int) {
        guard messages.count > limit else { return }
        messages.removeSubrange(limit...)
        ranks.removeSubrange(limit...)
    }
}
