internal import HTTPTypes
public import HeliumCore
internal import HeliumKit

/// The datapoints of a datastream in a window of any length. Each is delivered once, in order, and fetched on demand.
///
/// ```swift
/// for try await point in cosm.history(of: "temp", in: 504, from: start, every: .hour) {
///     print(point.at?.description ?? "", point.value?.double ?? .nan)
/// }
/// ```
///
/// The service returns at most 1,000 points of a limited window in one response (Docs/Protocols/Cosm.md §4). The
/// sequence sends as many requests as it needs, without gaps and without repeated points. Points that are stored in a
/// part of the window that was already read are not returned. Each iterator begins at the start. Iterating throws
/// ``CosmError``, or `CancellationError` once the task is cancelled. Points of earlier requests have been delivered by
/// then. Points that cannot be read are left out, and counted in ``Iterator/unreadable``.
public struct DatapointHistory: AsyncSequence, Sendable {
    /// The element type: a datapoint with its timestamp.
    public typealias Element = Datapoint

    /// The points of a response, and its `Date` field in seconds since 1970.
    struct Page: Sendable {
        let points: [Datapoint]
        var unreadable = UnreadableItems()
        var date: Int64?
    }

    let fetch: @Sendable (HistoryQuery) async throws -> Page
    let makeWalk: @Sendable () throws(CosmError) -> HistoryWalk

    /// Returns an iterator. It fetches nothing before its first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(history: self) }

    /// The iterator of a ``DatapointHistory``.
    public struct Iterator: AsyncIteratorProtocol {
        private let history: DatapointHistory
        private var walk: HistoryWalk?
        private var points: ArraySlice<Datapoint> = []
        private var isOver = false
        /// The `Date` field of the last response in seconds since 1970; `nil` if it had none.
        package private(set) var date: Int64?
        /// The points of the responses so far that could not be read. They were not delivered. A response of which no
        /// point can be read is an error. A point at the boundary of two responses may count twice.
        public private(set) var unreadable = UnreadableItems()

        fileprivate init(history: DatapointHistory) { self.history = history }

        /// Returns the next point, or `nil` after the last one.
        ///
        /// - Throws: ``CosmError``, after which the sequence has ended; `CancellationError`.
        public mutating func next() async throws -> Datapoint? {
            if let point = points.popFirst() { return point }
            guard !isOver else { return nil }
            do {
                var walk = try self.walk ?? history.makeWalk()
                while points.isEmpty, let query = walk.next() {
                    try Task.checkCancellation()
                    let page = try await history.fetch(query)
                    date = page.date
                    unreadable.add(page.unreadable)
                    points = try walk.take(page.points, unreadableCount: page.unreadable.count)[...]
                }
                self.walk = walk
                isOver = walk.isOver
            } catch {
                isOver = true
                throw error
            }
            return points.popFirst()
        }
    }
}

extension CosmClient {
    /// Returns the datapoints of a datastream in a window of any length.
    ///
    /// It sends a request for each thousand points, and for each window that the interval allows
    /// (``HistoryInterval/maximumWindow``).
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}`; needs `get` on the datastream (Docs/Protocols/Cosm.md §4).
    ///
    /// - Parameters:
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - start: The first instant.
    ///   - end: The last instant. Default: the time when the iteration begins.
    ///   - interval: The distance between samples. Default: every point, for which a request covers at most 6 hours.
    ///   - type: The timestamps of samples. Default: samples keep their own timestamps.
    ///   - function: The aggregate function for the points of an interval. Default: points are sampled.
    ///   - findsPrevious: Whether the last point before `start` is delivered first. Default: no.
    ///   - pageLimit: The maximum number of points in a response, 2 to 1,000. Default: 1,000.
    public func history(
        of datastream: String,
        in feed: Feed.ID,
        from start: Timestamp,
        to end: Timestamp? = nil,
        every interval: HistoryInterval = .everyPoint,
        type: HistoryQuery.IntervalType? = nil,
        function: Datastream.Function? = nil,
        findsPrevious: Bool? = nil,
        pageLimit: Int = 1000
    ) -> DatapointHistory {
        let template = HistoryQuery(intervalType: type, findsPrevious: findsPrevious, function: function)
        return DatapointHistory(
            fetch: { query in
                let options = ReadOptions(history: query)
                let response: HeliumResponse<Datastream> = try await self.readResponse(
                    .datastream(feed, datastream),
                    try options.parameters(now: self.now),
                    as: .json
                )
                let date = response[.date].flatMap { HTTPDate.parse($0) }
                return DatapointHistory.Page(
                    points: response.value.datapoints ?? [],
                    unreadable: response.value.unreadable,
                    date: date
                )
            },
            makeWalk: { () throws(CosmError) in
                guard 2...HistoryQuery.maximumLimit ~= pageLimit else {
                    throw .rule("pageLimit is \(pageLimit): it must be 2 to \(HistoryQuery.maximumLimit)")
                }
                let end = end ?? self.now
                if start > end { throw .rule("start is after end") }
                return HistoryWalk(from: start, to: end, interval: interval, template: template, limit: pageLimit)
            }
        )
    }
}
