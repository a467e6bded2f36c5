internal import GRDB

extension MessageQuery {
    typealias SQL = (sql: String, arguments: StatementArguments)

    static let sorting = "m.display_date_ms DESC, m.sort_key DESC"

    func plan(in database: Database) throws -> SQL {
        guard !sources.isEmpty else { return list() }
        if order == .rank { return ranked(sources[0], probing: Array(sources.dropFirst())) }
        guard let limit else { return try join(leadingIn: database) }
        let stored = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'")
        )
        // If h hits are evenly spread among n messages, the walk passes limit × n ÷ h messages, each at a quarter of a
        // hit's cost.
        let ceiling = max(100, Int((Double(limit) * Double(stored ?? 0)).squareRoot() / 2))
        if let leader = try leader(below: ceiling, in: database) { return join(leader, probing: others(than: leader)) }
        // The hits may be unevenly spread.
        var walk = MessageWalk(query: self, limit: limit, budget: 16 * ceiling)
        guard let keys = try walk.run(in: database) else { return try join(leadingIn: database) }
        return Self.byKey(keys)
    }

    private func others(than leader: Int) -> [HitSource] { sources.indices.filter { $0 != leader }.map { sources[$0] } }

    /// Returns the source with the fewest hits; `nil` if every source has at least `ceiling`.
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

    /// Returns the conditions on a message `m` other than those of the sources. All but the last are conditions of the
    /// index.
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

    /// Returns the query for all messages, in the order of the index.
    private func list() -> SQL {
        let conditions = conditions()
        let sql = """
            SELECT \(MessageRow.columns) FROM message AS m INDEXED BY message_list \(MessageRow.joins)
            WHERE \(conditions.sql) AND m.kind <> 'draft' ORDER BY \(Self.sorting) LIMIT ?
            """
        return (sql, conditions.arguments + [limit ?? -1])
    }

    /// Returns a query that sorts keys only, so that documents are read for the page alone. Drafts are in no index.
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

    /// Returns a query for the best hits first.
    ///
    /// If the only sort key is the rank, the index sorts by itself, and messages are read only for the page.
    private func ranked(_ leader: HitSource, probing others: [HitSource]) -> SQL {
        let conditions = conditions(probing: others)
        let rank = leader.rank ?? "0"
        // Hits of equal rank come in the same order each time, so those of the cursor's rank that were already read are
        // skipped.
        let start = afterRank == nil ? "" : "AND \(rank) >= ? "
        let sql = """
            SELECT \(MessageRow.columns), page.rank FROM (
                SELECT m.local_id AS key, \(rank) AS rank
                FROM \(leader.table) CROSS JOIN message AS m ON m.local_id = \(leader.localID)
                WHERE \(leader.condition) \(start)AND \(conditions.sql) ORDER BY \(rank) LIMIT ? OFFSET ?
            ) AS page CROSS JOIN message AS m ON m.local_id = page.key \(MessageRow.joins)
            ORDER BY page.rank
            """
        var arguments = leader.arguments
        if let afterRank { arguments += [afterRank.rank] }
        return (sql, arguments + conditions.arguments + [limit ?? -1, afterRank?.ties ?? 0])
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
