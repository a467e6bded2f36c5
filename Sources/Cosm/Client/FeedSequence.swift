/// The feeds of a list. Pages are fetched on demand, and each feed is delivered once.
///
/// Lists are sorted by the time of the last write unless the query has another order, so feeds can move to other pages
/// during the iteration. A feed that was already delivered is skipped. A feed that moved to an earlier page is missed,
/// unless the order is ``FeedQuery/Order/created``.
///
/// Iterating throws ``CosmError``, or `CancellationError` once the task is cancelled. Feeds of earlier pages have been
/// delivered by then.
public struct FeedSequence: AsyncSequence, Sendable {
    /// The element type: a feed.
    public typealias Element = Feed

    let query: FeedQuery
    let maximumPages: Int
    let fetch: @Sendable (FeedQuery) async throws -> FeedPage

    /// Returns an iterator. It fetches nothing before its first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// The iterator of a ``FeedSequence``.
    public struct Iterator: AsyncIteratorProtocol {
        private let sequence: FeedSequence
        private var walk: FeedWalk
        private var feeds: ArraySlice<Feed> = []

        fileprivate init(sequence: FeedSequence) {
            self.sequence = sequence
            walk = FeedWalk(query: sequence.query, maximumPages: sequence.maximumPages)
        }

        /// Returns the next feed, or `nil` after the last one.
        ///
        /// - Throws: ``CosmError``, after which the sequence has ended; `CancellationError`.
        public mutating func next() async throws -> Feed? {
            do {
                while feeds.isEmpty, let query = try walk.next() {
                    try Task.checkCancellation()
                    feeds = walk.take(try await sequence.fetch(query))[...]
                }
            } catch {
                walk.end()
                throw error
            }
            return feeds.popFirst()
        }
    }
}

/// Decides which page of a list comes next and which of its feeds are new. It does no I/O.
struct FeedWalk: Sendable {
    private var query: FeedQuery
    private var page: Int
    private var pagesLeft: Int
    /// Whether the walk begins at the first page, so that the delivered feeds can be counted against the total.
    private let isCounting: Bool
    /// The number of the list's feeds up to and including the last page, as far as it is known.
    private var position = 0
    private var seen: Set<Feed.ID> = []
    private var isOver = false

    init(query: FeedQuery, maximumPages: Int) {
        self.query = query
        page = query.page ?? 1
        isCounting = page == 1
        pagesLeft = maximumPages
    }

    /// Returns the query of the next page, or `nil` after the last one.
    ///
    /// - Throws: ``CosmError`` if the maximum number of pages is exceeded.
    mutating func next() throws(CosmError) -> FeedQuery? {
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
    /// The walk ends with a page without feeds, or when all feeds of the list have come. It also ends with a page
    /// without any new feed: a server that does not support pages returns the first one again and again.
    mutating func take(_ result: FeedPage) -> [Feed] {
        let new = result.results.filter { $0.id.map { seen.insert($0).inserted } ?? true }
        position = (result.startIndex ?? position) + result.results.count
        let isAll = result.totalResults.map { position >= $0 } ?? false
        page += 1
        isOver = new.isEmpty || (isAll && (isCounting || result.startIndex != nil))
        return new
    }

    /// Ends the walk.
    mutating func end() { isOver = true }
}
