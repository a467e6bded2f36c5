internal import GRDB

/// Walks the messages of a channel in list order until enough of them are hits of all sources.
///
/// The walk reads keys in batches, from the index alone. For each batch, it queries each source once for the hits
/// between the lowest and the highest local id. A query for each message would open the full-text index each time,
/// which takes 20 to 200 µs.
struct MessageWalk {
    let query: MessageQuery
    let limit: Int
    /// The number of messages after which the walk stops.
    let budget: Int

    private var found: [Int64] = []
    private var passed = 0

    init(query: MessageQuery, limit: Int, budget: Int) {
        self.query = query
        self.limit = limit
        self.budget = budget
    }

    /// Returns the local ids of the first hits; `nil` if the budget is used up before there are enough.
    mutating func run(in database: Database) throws -> [Int64]? {
        var query = query
        var size = max(64, min(limit, 1024) * 2)
        while true {
            let keys = try Self.keys(query, size, in: database)
            var remaining = keys.map(\.localID)
            for source in query.sources where !remaining.isEmpty {
                let hits = try source.hits(among: remaining, in: database)
                remaining = remaining.filter(hits.contains)
            }
            found += remaining.prefix(limit - found.count)
            passed += keys.count
            guard found.count < limit, keys.count == size, let last = keys.last else { return found }
            guard passed < budget else { return nil }
            query.before = last.cursor
            size = min(size * 2, 4096)
        }
    }

    private static func keys(
        _ query: MessageQuery,
        _ count: Int,
        in database: Database
    ) throws -> [(localID: Int64, cursor: MessageCursor)] {
        let conditions = query.conditions()
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.local_id, m.display_date_ms, m.sort_key FROM message AS m INDEXED BY message_list
                WHERE \(conditions.sql) ORDER BY \(MessageQuery.sorting) LIMIT ?
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: conditions.arguments + [count])
        var keys: [(localID: Int64, cursor: MessageCursor)] = []
        keys.reserveCapacity(count)
        while let row = try rows.next() { keys.append((row[0], MessageCursor(displayDate: row[1], sortKey: row[2]))) }
        return keys
    }
}
