/// The pages of a response that is split into several, each fetched when it is requested.
///
/// Every page is a separate call: it is authorized again and has the request's own fields, time limits and acceptable
/// statuses. Pages are followed only on the first page's origin, because the credentials belong to it. A next page on
/// another origin fails with ``FailureKind/redirectRefused``. A page that was fetched already fails with
/// ``FailureKind/malformedResponse``, and one beyond the maximum with ``FailureKind/ceilingExceeded`` and
/// ``Ceiling/pages``. The pages before a failure have been delivered.
///
/// Leaving the loop or cancelling the task ends a transfer in progress. Each iterator starts at the first page.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
    /// A page: its value, status and header fields.
    public typealias Element = HeliumResponse<Value>

    private let walk: PageWalk<Value>
    private let isAhead: Bool

    init(_ walk: PageWalk<Value>, isAhead: Bool) {
        self.walk = walk
        self.isAhead = isAhead
    }

    /// Creates an iterator, which fetches the first page when it is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(walk: walk, isAhead: isAhead) }

    /// Iterates over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var walk: PageWalk<Value>
        fileprivate let isAhead: Bool
        /// The next page, if it was prefetched while the consumer uses this one.
        private var ahead: Result<PageFetch<Value>?, HeliumError>?
        private var isOver = false

        fileprivate init(walk: PageWalk<Value>, isAhead: Bool) {
            self.walk = walk
            self.isAhead = isAhead
        }
    }
}

extension Pages.Iterator {
    /// Returns the next page, or `nil` after the last.
    ///
    /// - Throws: ``HeliumError``, once, after which the sequence has ended; `CancellationError` if the task was
    ///   cancelled.
    public mutating func next() async throws -> HeliumResponse<Value>? {
        guard !isOver else { return nil }
        do {
            try Task.checkCancellation()
            guard let page = try await page() else {
                isOver = true
                return nil
            }
            walk.arrived(page)
            if isAhead { fetchAhead() }
            return page
        } catch {
            isOver = true
            ahead = nil
            throw error
        }
    }

    private mutating func page() async throws -> HeliumResponse<Value>? {
        guard let fetch = ahead else { return try await walk.next()?.response() }
        ahead = nil
        return try await fetch.get()?.response()
    }

    private mutating func fetchAhead() {
        do throws(HeliumError) {
            ahead = .success(try walk.next().map { PageFetch($0) })
        } catch {
            ahead = .failure(error)
        }
    }
}

/// A page that is fetched while the consumer uses the page before it. The request is cancelled when the object is
/// released.
private final class PageFetch<Value: Sendable>: Sendable {
    private let task: Task<HeliumResponse<Value>, any Error>

    init(_ request: RequestBuilder<Value>) { task = Task { try await request.response() } }

    deinit { task.cancel() }

    func response() async throws -> HeliumResponse<Value> {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension RequestBuilder {
    /// Returns the pages of the response, each fetched when it is requested.
    ///
    /// - Parameters:
    ///   - strategy: Determines the next page from a page.
    ///   - maximum: The maximum number of pages of one iteration. Default: 10,000.
    ///   - prefetch: 1 fetches the next page while the consumer uses the page before it; higher values have the same
    ///     effect. Default: 0, which fetches each page when it is requested.
    public func pages(
        _ strategy: PaginationStrategy<Value>,
        maximum: Int = 10_000,
        prefetch: Int = 0
    ) -> Pages<Value> {
        Pages(PageWalk(self, strategy: strategy, maximum: max(1, maximum)), isAhead: prefetch > 0)
    }
}
