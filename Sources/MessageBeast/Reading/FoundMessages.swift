/// The messages found by a look-up.
struct FoundMessages {
    var messages: [MessagePlus] = []
    /// The position of each message in an order by rank; `nil` in another order.
    var ranks: [RankCursor?] = []
    /// The stored messages whose documents cannot be read.
    var unreadable: [MessagePlus.ID] = []

    /// The number of rows, including unreadable ones.
    var rowCount = 0
    /// The positions of the last row.
    var last: MessageCursor?
    var lastRank: RankCursor?

    /// Appends the results of a look-up that continued from the last position.
    mutating func append(_ next: FoundMessages) {
        messages += next.messages
        ranks += next.ranks
        unreadable += next.unreadable
        rowCount += next.rowCount
        last = next.last ?? last
        lastRank = next.lastRank ?? lastRank
    }

    /// Removes the messages beyond a limit.
    mutating func truncate(to limit: Int) {
        guard messages.count > limit else { return }
        messages.removeSubrange(limit...)
        ranks.removeSubrange(limit...)
    }
}
