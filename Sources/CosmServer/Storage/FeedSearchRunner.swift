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

    /// A feed that matches, without its texts: all matches of a search are kept until they are sorted.
    private struct Found {
        let id: Int
        let created: ServerInstant
        let updated: ServerInstant
        let match: FeedMatch
    }

    /// Returns the number of matching feeds, and the ids of those of a page. The caller reads one feed after the other,
    /// because a page of large feeds has hundreds of megabytes.
    ///
    /// - Throws: ``CosmFailure`` with 400 for a search that exceeds the limit on its work, or the error of the store.
    func page(_ search: FeedSearch, visibleTo visibility: FeedVisibility) throws -> (total: Int, ids: [Int]) {
        let (condition, arguments) = condition(search, visibility)
        if !search.needsScan {
            let visible = FeedRecord.filter(sql: condition, arguments: arguments)
            let column = Column(search.order == .created ? "created" : "updated")
            let page = visible.order(column.desc, Column("id")).limit(search.itemsPerPage, offset: search.startIndex)
            return (try visible.fetchCount(database), try Int.fetchAll(database, page.select(Column("id"))))
        }
        var matches: [Found] = []
        var left = maxima.searchedBytes
        let rows = try Row.fetchCursor(database, FeedRecord.filter(sql: condition, arguments: arguments))
        while let row = try rows.next() {
            guard let feed = FeedRecord.readable(row, in: database) else { continue }
            let streams = try DatastreamTable(database: database).datastreams(of: feed.id)
            left -= FeedMatch.work(feed, streams, words: search.words.count)
            guard left >= 0 else {
                throw CosmFailure.badParameter("the search examines too many feeds: use fewer words, or user or status")
            }
            if let match = FeedMatch(feed, streams, search) {
                matches.append(Found(id: feed.id, created: feed.created, updated: feed.updated, match: match))
            }
        }
        let sorted = matches.sorted { Self.precedes($0, $1, search.order) }
        return (matches.count, sorted.dropFirst(search.startIndex).prefix(search.itemsPerPage).map(\.id))
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
    private static func precedes(_ left: Found, _ right: Found, _ order: FeedSearch.Order) -> Bool {
        switch order {
        case .created:
            if left.created != right.created { return left.created > right.created }
        case .retrieved:
            if left.updated != right.updated { return left.updated > right.updated }
        case .relevance:
            if left.match.relevance != right.match.relevance { return left.match.relevance > right.match.relevance }
        case .distance:
            if left.match.distance != right.match.distance {
                return left.match.distance ?? 0 < right.match.distance ?? 0
            }
        }
        return left.id < right.id
    }
}
