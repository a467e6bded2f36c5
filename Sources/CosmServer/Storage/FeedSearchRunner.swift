internal import GRDB
internal import HeliumServerKit

/// The feeds that a key can see in lists.
struct FeedVisibility: Hashable, Sendable {
    let owner: String
    let opensPrivate: Bool
    /// The ids of the feeds; `nil` for all visible feeds.
    let only: Set<Int>?
}

/// Finds a page of feeds. A search without words, tags, units and areas uses an index. Other searches examine all
/// visible feeds.
struct FeedSearchRunner {
    let database: Database
    let now: ServerInstant
    let maxima: CosmMaxima

    /// - Throws: ``CosmFailure`` with 400 for a search that exceeds the limit on its work, or the error of the store.
    func page(_ search: FeedSearch, visibleTo visibility: FeedVisibility) throws -> (total: Int, feeds: [FeedRecord]) {
        let (condition, arguments) = condition(search, visibility)
        if !search.needsScan {
            let visible = FeedRecord.filter(sql: condition, arguments: arguments)
            let column = Column(search.order == .created ? "created" : "updated")
            let page = visible.order(column.desc, Column("id")).limit(search.itemsPerPage, offset: search.startIndex)
            return (try visible.fetchCount(database), try FeedRecord.fetchReadable(database, page))
        }
        var matches: [(FeedRecord, FeedMatch)] = []
        var left = maxima.searchedBytes
        let rows = try Row.fetchCursor(database, FeedRecord.filter(sql: condition, arguments: arguments))
        while let row = try rows.next() {
            guard let feed = FeedRecord.readable(row, in: database) else { continue }
            let streams = try DatastreamTable(database: database).datastreams(of: feed.id)
            left -= FeedMatch.searchedBytes(feed, streams) * max(search.words.count, 1)
            guard left >= 0 else {
                throw CosmFailure.badParameter("the search examines too many feeds: use fewer words, or user or status")
            }
            if let match = FeedMatch(feed, streams, search) { matches.append((feed, match)) }
        }
        let sorted = matches.sorted { left, right in
            Self.precedes(left, right, search.order)
        }
        return (matches.count, sorted.dropFirst(search.startIndex).prefix(search.itemsPerPage).map(\.0))
    }

    /// Returns the SQL condition. Values from the client are passed as arguments.
    private func condition(_ search: FeedSearch, _ visibility: FeedVisibility) -> (String, StatementArguments) {
        var conditions = ["(private = 0 OR (? AND owner = ?))"]
        var arguments: StatementArguments = [visibility.opensPrivate, visibility.owner]
        if let only = visibility.only {
            conditions.append("id IN (\(only.map { String($0) }.joined(separator: ",")))")
        }
        if let user = search.user {
            conditions.append("owner = ?")
            arguments += [user]
        }
        if search.status != .all {
            // The limit is the same as in `FeedRecord.isLive`.
            conditions.append(search.status == .live ? "updated >= ?" : "updated < ?")
            arguments += [now.adding(seconds: -FeedRecord.liveSeconds).microseconds]
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    /// Returns whether a match precedes another one: the best first, and those of equal rank by id.
    private static func precedes(
        _ left: (FeedRecord, FeedMatch),
        _ right: (FeedRecord, FeedMatch),
        _ order: FeedSearch.Order
    ) -> Bool {
        switch order {
        case .created:
            if left.0.created != right.0.created { return left.0.created > right.0.created }
        case .retrieved:
            if left.0.updated != right.0.updated { return left.0.updated > right.0.updated }
        case .relevance:
            if left.1.relevance != right.1.relevance { return left.1.relevance > right.1.relevance }
        case .distance:
            if left.1.distance != right.1.distance { return left.1.distance ?? 0 < right.1.distance ?? 0 }
        }
        return left.0.id < right.0.id
    }
}
