/// The messages found by a look-up.
struct FoundMessages {
    var messages: [MessagePlus] = []
    /// The position of each message in an order by rank; `nil` in another order.
    var ranks: [RankCursor?] = []
    /// The stored messages whose documents cannot be read.
    var unreadable: [MessagePlus.ID] = []

    /// The number of messages that a filter excluded.
    private(set) var excludedCount = 0
    /// The number of messages that a filter excluded before each message.
    private var excludedBefore: [Int] = []

    /// The number of rows, including unreadable and excluded ones.
    var rowCount = 0
    /// The positions of the last row.
    var last: MessageCursor?
    var lastRank: RankCursor?

    /// The number of rows that are not among the messages.
    var leftOutCount: Int { rowCount - messages.count }

    /// Appends a message, unless a filter excludes it.
    mutating func append(_ message: MessagePlus, excluding filter: MessageFilter?) {
        if let filter, filter(message) {
            excludedCount += 1
            return
        }
        messages.append(message)
        ranks.append(lastRank)
        excludedBefore.append(excludedCount)
    }

    /// Appends the results of a look-up that continued from the last position.
    mutating func append(_ next: FoundMessages) {
        excludedBefore += next.excludedBefore.map { excludedCount + $0 }
        excludedCount += next.excludedCount
        messages += next.messages
        ranks += next.ranks
        unreadable += next.unreadable
        rowCount += next.rowCount
        last = next.last ?? last
        lastRank = next.lastRank ?? lastRank
    }

    /// Removes the messages beyond a limit. Messages that were excluded after the last one are not counted any more.
    mutating func truncate(to limit: Int) {
        guard messages.count > limit else { return }
        excludedCount = limit > 0 ? excludedBefore[limit - 1] : 0
        messages.removeSubrange(limit...)
        ranks.removeSubrange(limit...)
        excludedBefore.removeSubrange(limit...)
    }
}
