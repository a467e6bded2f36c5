public import HeliumCore

/// The pages of a list of feeds, fetched one by one as they are requested: the counterpart of HeliumCore's `Pages`.
///
/// Lists are sorted by the time of the last write unless the query has another order, so feeds can move to other pages
/// during the iteration. A page does not have the feeds that an earlier page of the iteration had. A feed that moved to
/// an earlier page is missed, unless the order is ``FeedQuery/Order/created``. This memory is why the pages are a type
/// of their own.
///
/// A feed that cannot be read is left out of its page and does not end the iteration. ``FeedPage/unreadable`` names it.
///
/// Iterating throws ``CosmError``, or `CancellationError` once the task is cancelled. Earlier pages have been delivered
/// by then. Each iterator starts at the query's page.
public struct FeedPages: AsyncSequence, Sendable {
    /// The element type: a page.
    public typealias Element = FeedPage

    let query: FeedQuery
    let maximumPages: Int
    let fetch: @Sendable (FeedQuery) async throws -> FeedPage

    /// Returns an iterator. It fetches nothing before its first page is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The iterator of ``FeedPages``.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: FeedPages
        private var walk: FeedWalk

        fileprivate init(_ pages: FeedPages) {
            self.pages = pages
            walk = FeedWalk(query: pages.query, maximumPages: pages.maximumPages)
        }

        /// Returns the next page, or `nil` after the last one.
        ///
        /// - Throws: ``CosmError``, after which the sequence has ended; `CancellationError`.
        public mutating func next() async throws -> FeedPage? {
            do {
                guard let query = try walk.next() else { return nil }
                try Task.checkCancellation()
                var page = try await pages.fetch(query)
                page.results = walk.take(page)
                return page
            } catch {
                walk.end()
                throw error
            }
        }
    }
}

extension FeedPages {
    /// The feeds of all pages, one after the other. Each is delivered once.
    public var elements: PageElements<FeedPages, [Feed]> { PageElements(self) { $0.results } }

    /// Returns a sequence of the values that a function makes of each page, one after the other.
    ///
    /// - Parameter items: Returns the values of a page, for example the datastreams of its feeds.
    public func elements<Items: Sequence>(
        of items: @escaping @Sendable (FeedPage) -> Items
    ) -> PageElements<FeedPages, Items> {
        PageElements(self, of: items)
    }
}

/// Decides which page of a list comes next and which of its feeds are new. It does no I/O.
package struct FeedWalk: Sendable {
    private var query: FeedQuery
    private var page: Int
    private var pagesLeft: Int
    /// Whether the walk begins at the first page, so that the delivered feeds can be counted against the total.
    private let isCounting: Bool
    /// The number of the list's feeds up to and including the last page, as far as it is known.
    private var position = 0
    /// The position at which the last page began, as far as the server states it.
    private var lastStart: Int?
    /// The ids of the last page.
    private var lastIDs: Set<String> = []
    private var seen: Set<Feed.ID> = []
    /// The ids of the feeds that could not be read.
    private var seenUnreadable: Set<String> = []
    private var isOver = false

    package init(query: FeedQuery, maximumPages: Int) {
        self.query = query
        page = query.page ?? 1
        isCounting = page == 1
        pagesLeft = maximumPages
    }

    /// Returns the query of the next page, or `nil` after the last one.
    ///
    /// - Throws: ``CosmError`` if the maximum number of pages is exceeded.
    package mutating func next() throws(CosmError) -> FeedQuery? {
        guard !isOver else { return nil }
        guard pagesLeft > 0 else {
            throw CosmError(.failed, "the list has more pages than the limit allows", delivery: .answered)
        }
        pagesLeft -= 1
        query.page = page
        return query
    }

    /// Takes a page and returns those of its feeds that have not been delivered before.
    ///
    /// The walk ends with a page without feeds, or when all feeds of the list have come. It also ends with a page that
    /// repeats the previous one: a server that does not support pages returns the first one again and again. A page of
    /// known feeds does not end it, because feeds that are written during the walk move others to later pages.
    package mutating func take(_ result: FeedPage) -> [Feed] {
        let new = result.results.filter { $0.id.map { seen.insert($0).inserted } ?? true }
        let isRepetition = isRepetition(result, hasNew: !new.isEmpty)
        let count = result.results.count + result.unreadable.count
        let (end, isBeyond) = (result.startIndex ?? position).addingReportingOverflow(count)
        position = isBeyond ? .max : end
        let isAll = result.totalResults.map { position >= $0 } ?? false
        lastStart = result.startIndex ?? lastStart
        let isEnd = count == 0 || isRepetition || (isAll && (isCounting || result.startIndex != nil))
        if isEnd || page == .max { isOver = true } else { page += 1 }
        return new
    }

    /// Returns whether a page is the previous one again.
    private mutating func isRepetition(_ result: FeedPage, hasNew: Bool) -> Bool {
        let ids = Set(result.results.compactMap(\.id?.text) + result.unreadable.ids)
        defer { lastIDs = ids }
        var isNew = hasNew
        for id in result.unreadable.ids where seenUnreadable.insert(id).inserted { isNew = true }
        if isNew { return false }
        if let start = result.startIndex, let lastStart { return start <= lastStart }
        return ids == lastIDs
    }

    /// Ends the walk.
    mutating func end() { isOver = true }
}
