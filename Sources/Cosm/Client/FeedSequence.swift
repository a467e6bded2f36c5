/// The feeds of a list, page by page as they are asked for, each once.
///
/// Lists are sorted by when feeds were written to unless a query says otherwise: while they are walked along, feeds move to
/// other pages. One that came already is passed over; one that moved to a page before is missed, unless the query's order is
/// ``FeedQuery/Order/created``.
///
/// Iterating throws ``CosmError``, and `CancellationError` once the task is cancelled; feeds before were delivered.
public struct FeedSequence: AsyncSequence, Sendable {
    /// A feed.
    public typealias Element = Feed

    let query: FeedQuery
    let maximumPages: Int
    let fetch: @Sendable (FeedQuery) async throws -> FeedPage

    /// An iterator, which fetches nothing before it is asked.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Takes the feeds one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let sequence: FeedSequence
        private var walk: FeedWalk
        private var feeds: ArraySlice<Feed> = []

        fileprivate init(sequence: FeedSequence) {
            self.sequence = sequence
            walk = FeedWalk(query: sequence.query, maximumPages: sequence.maximumPages)
        }

        /// The next feed; `nil` after the last.
        ///
        /// - Throws: ``CosmError``, once, then the sequence is over; `CancellationError`.
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

/// Decides which page of a list comes next, and which of its feeds are new. It does no I/O.
struct FeedWalk: Sendable {
    private var query: FeedQuery
    private var page: Int
    private var pagesLeft: Int
    /// Whether the walk begins at the list's first page, so that what came can be counted.
    private let isCounting: Bool
    /// How many of the list's feeds are behind, where that is known.
    private var position = 0
    private var seen: Set<Feed.ID> = []
    private var isOver = false

    init(query: FeedQuery, maximumPages: Int) {
        self.query = query
        page = query.page ?? 1
        isCounting = page == 1
        pagesLeft = maximumPages
    }

    /// The query of the next page; `nil` after the last.
    ///
    /// - Throws: ``CosmError`` past the most pages.
    mutating func next() throws(CosmError) -> FeedQuery? {
        guard !isOver else { return nil }
        guard pagesLeft > 0 else {
            throw CosmError(.failed, "the list has more pages than were allowed", delivery: .answered)
        }
        pagesLeft -= 1
        query.page = page
        return query
    }

    /// Takes a page and gives its feeds that didn't come before.
    ///
    /// The last page is the first without feeds, or that at which all there are have come. A page without anything new ends
    /// the walk too: a server that knows no pages gives the first again and again.
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
