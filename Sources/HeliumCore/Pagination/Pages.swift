/// The pages of an answer that comes in several, each fetched when it is asked for.
///
/// Every page is a call of its own: freshly authorized, with the request's own fields, time limits and acceptable
/// statuses. Pages are followed on the first page's origin only, because that is where the credentials belong: a next
/// page elsewhere fails with ``FailureKind/redirectRefused``. A page that was fetched already fails with
/// ``FailureKind/malformedResponse``, one past the maximum with ``FailureKind/ceilingExceeded``, ceiling
/// ``Ceiling/pages``. Whatever fails, the pages before it have been delivered.
///
/// Leaving the loop or cancelling the task ends a transfer that is under way. Each iterator starts at the first page.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
    /// A page: its value, status and fields.
    public typealias Element = HeliumResponse<Value>

    private let walk: PageWalk<Value>
    private let isAhead: Bool

    init(_ walk: PageWalk<Value>, isAhead: Bool) {
        self.walk = walk
        self.isAhead = isAhead
    }

    /// An iterator, which fetches the first page when it is first asked.
    public func makeAsyncIterator() -> Iterator { Iterator(walk: walk, isAhead: isAhead) }

    /// Takes the pages one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var walk: PageWalk<Value>
        fileprivate let isAhead: Bool
        /// What is known of the next page while this one is with the consumer.
        private var ahead: Result<PageFetch<Value>?, HeliumError>?
        private var isOver = false

        fileprivate init(walk: PageWalk<Value>, isAhead: Bool) {
            self.walk = walk
            self.isAhead = isAhead
        }
    }
}

extension Pages.Iterator {
    /// The next page, or `nil` after the last.
    ///
    /// - Throws: ``HeliumError``, once, then the sequence is over; `CancellationError` if the task was cancelled.
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

/// A page on its way while the one before is with the consumer; ends when nobody wants it any more.
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
    /// The answer's pages, each fetched when it is asked for.
    ///
    /// - Parameters:
    ///   - strategy: How a page tells where the next one is.
    ///   - maximum: The most pages of one iteration. Default: 10,000.
    ///   - prefetch: 1 fetches the next page while the consumer has the one before; more counts as 1. Default: 0,
    ///     nothing is fetched before it is asked for.
    public func pages(
        _ strategy: PaginationStrategy<Value>,
        maximum: Int = 10_000,
        prefetch: Int = 0
    ) -> Pages<Value> {
        Pages(PageWalk(self, strategy: strategy, maximum: max(1, maximum)), isAhead: prefetch > 0)
    }
}
