internal import Foundation
internal import GRDB

/// A look-up of messages: conditions that all have to hold, an order and a limit.
///
/// Newest first means by display date and sort key. Such a look-up either joins the hits of an index with the messages and
/// sorts them (``join(_:probing:)``), or walks the messages in order until the page is full. Joining costs a step for each
/// hit, which are too many where half of all messages are hits; walking costs one for each message, which are too many where
/// hits are rare.
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

    init(channel: String, before: MessageCursor? = nil, limit: Int? = nil, sources: [HitSource] = []) {
        self.channel = channel
        self.before = before
        self.limit = limit
        self.sources = sources
    }

    /// The messages.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a negative limit.
    func fetch(in database: Database) throws -> [MessagePlus] {
        if let limit {
            guard limit >= 0 else { throw MessageBeastError(.invalidArgument, "the limit \(limit) is negative") }
            if limit == 0 { return [] }
        }
        let plan = try plan(in: database)
        return try MessageRow.fetch(database.cachedStatement(sql: plan.sql), plan.arguments, in: database)
    }

    // MARK: Plans

    typealias SQL = (sql: String, arguments: StatementArguments)

    static let sorting = "m.display_date_ms DESC, m.sort_key DESC"

    private func plan(in database: Database) throws -> SQL {
        guard !sources.isEmpty else { return list() }
        if order == .rank { return ranked(sources[0], probing: Array(sources.dropFirst())) }
        guard let limit else { return try join(leadingIn: database) }
        let stored = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'")
        )
        // Of n messages, h hits are evenly spread: the walk passes limit × n ÷ h messages, a quarter of the cost of a hit each.
        let ceiling = max(100, Int((Double(limit) * Double(stored ?? 0)).squareRoot() / 2))
        if let leader = try leader(below: ceiling, in: database) { return join(leader, probing: others(than: leader)) }
        // The hits may not be spread evenly.
        var walk = MessageWalk(query: self, limit: limit, budget: 16 * ceiling)
        guard let keys = try walk.run(in: database) else { return try join(leadingIn: database) }
        return Self.byKey(keys)
    }

    private func others(than leader: Int) -> [HitSource] { sources.indices.filter { $0 != leader }.map { sources[$0] } }

    /// The source with the fewest hits; `nil` if none has fewer than `ceiling`.
    private func leader(below ceiling: Int, in database: Database) throws -> Int? {
        var best: (index: Int, count: Int)?
        for (index, source) in sources.enumerated() {
            let bound = best?.count ?? ceiling
            let count = try source.count(upTo: bound, in: database)
            if count < bound { best = (index, count) }
        }
        return best?.index
    }

    private func join(leadingIn database: Database) throws -> SQL {
        let leader = sources.count == 1 ? 0 : try leader(below: 100_000, in: database) ?? 0
        return join(leader, probing: others(than: leader))
    }

    /// The conditions on a message `m` other than those of the sources. All but the last are those of the index.
    func conditions(probing sources: [HitSource] = []) -> SQL {
        var sql = "m.channel_id = ? AND m.hidden = 0"
        var arguments: StatementArguments = [channel]
        if let before {
            sql += " AND (m.display_date_ms, m.sort_key) < (?, ?)"
            arguments += [before.displayDate, before.sortKey]
        }
        if let from {
            sql += " AND m.display_date_ms >= ?"
            arguments += [from.value]
        }
        if let to {
            sql += " AND m.display_date_ms < ?"
            arguments += [to.value]
        }
        for probe in sources.map(\.probe) {
            sql += " AND \(probe.sql)"
            arguments += probe.arguments
        }
        return (sql, arguments)
    }

    /// All messages, in the order of the index.
    private func list() -> SQL {
        let conditions = conditions()
        let sql = """
            SELECT \(MessageRow.columns) FROM message AS m INDEXED BY message_list \(MessageRow.joins)
            WHERE \(conditions.sql) AND m.kind <> 'draft' ORDER BY \(Self.sorting) LIMIT ?
            """
        return (sql, conditions.arguments + [limit ?? -1])
    }

    /// Sorts keys only: the documents of all hits would be read for nothing. Drafts are in no index.
    private func join(_ leader: Int, probing others: [HitSource]) -> SQL {
        let leader = sources[leader]
        let conditions = conditions(probing: others)
        let sql = """
            SELECT \(MessageRow.columns) FROM (
                SELECT m.local_id AS key FROM \(leader.table) CROSS JOIN message AS m ON m.local_id = \(leader.localID)
                WHERE \(leader.condition) AND \(conditions.sql) ORDER BY \(Self.sorting) LIMIT ?
            ) AS page CROSS JOIN message AS m ON m.local_id = page.key \(MessageRow.joins)
            ORDER BY \(Self.sorting)
            """
        return (sql, leader.arguments + conditions.arguments + [limit ?? -1])
    }

    private func ranked(_ leader: HitSource, probing others: [HitSource]) -> SQL {
        let conditions = conditions(probing: others)
        let sql = """
            SELECT \(MessageRow.columns) FROM (
                SELECT m.local_id AS key, \(leader.table).rank AS rank
                FROM \(leader.table) CROSS JOIN message AS m ON m.local_id = \(leader.localID)
                WHERE \(leader.condition) AND \(conditions.sql) ORDER BY \(leader.table).rank LIMIT ?
            ) AS page CROSS JOIN message AS m ON m.local_id = page.key \(MessageRow.joins)
            ORDER BY page.rank
            """
        return (sql, leader.arguments + conditions.arguments + [limit ?? -1])
    }

    private static func byKey(_ keys: [Int64]) -> SQL {
        let sql = """
            SELECT \(MessageRow.columns)
            FROM json_each(?) AS list CROSS JOIN message AS m ON m.local_id = list.value \(MessageRow.joins)
            ORDER BY \(sorting)
            """
        return (sql, [JSONList.text(keys)])
    }
}
