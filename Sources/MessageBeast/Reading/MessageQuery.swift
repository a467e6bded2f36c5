internal import Foundation
internal import GRDB

/// A look-up of messages: conditions that must all hold, an order and a limit.
///
/// Newest first means by display date and sort key. Such a look-up either joins the hits of an index with the messages
/// and sorts them (``join(_:probing:)``), or walks the messages in order until the page is full. A join costs one step
/// for each hit, which is slow if half of all messages are hits. A walk costs one step for each message, which is slow
/// if hits are rare.
struct MessageQuery {
    var channel: String
    /// The position after which the result begins.
    var before: MessageCursor?
    /// The earliest display date.
    var from: Milliseconds?
    /// The display date before which all messages are.
    var to: Milliseconds?
    var sources: [HitSource] = []
    var limit: Int?
    var order = SearchOrder.newestFirst
    /// The position after which the result begins, by rank.
    var afterRank: RankCursor?
    /// Returns `true` for messages to leave out. They do not count for the limit.
    var filter: MessageFilter?

    init(
        channel: String,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        sources: [HitSource] = [],
        excluding filter: MessageFilter? = nil
    ) {
        self.channel = channel
        self.before = before
        self.limit = limit
        self.sources = sources
        self.filter = filter
    }

    /// Returns the messages. Unreadable messages are left out.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a negative limit.
    func fetch(in database: Database) throws -> [MessagePlus] { try find(in: database).messages }

    /// Returns the messages, up to the limit, and the unreadable messages among them.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a negative limit.
    func find(in database: Database) throws -> FoundMessages {
        try Self.check(limit: limit)
        var found = FoundMessages()
        if limit == 0 { return found }
        var query = self
        while true {
            let plan = try query.plan(in: database)
            let statement = try database.cachedStatement(sql: plan.sql)
            let rows = try MessageRow.fetch(
                statement,
                plan.arguments,
                after: query.afterRank,
                excluding: filter,
                upTo: limit.map { $0 - found.messages.count },
                in: database
            )
            found.append(rows)
            guard let limit, rows.rowCount == query.limit, found.messages.count < limit else { break }
            // Rows were left out. Requesting at least as many rows as were left out keeps the number of look-ups small.
            query.limit = max(limit - found.messages.count, found.leftOutCount)
            if order == .rank { query.afterRank = found.lastRank } else { query.before = found.last }
        }
        if let limit { found.truncate(to: limit) }
        return found
    }

    /// Checks a limit: `nil` for all, or the maximum number of results.
    static func check(limit: Int?) throws {
        guard let limit, limit < 0 else { return }
        throw MessageBeastError(.invalidArgument, "the limit \(limit) is negative")
    }
}
