internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

/// The datapoints of a datastream over any stretch of time, each once and in order, fetched as they are asked for.
///
/// ```swift
/// for try await point in cosm.history(of: "temp", in: 504, from: start, every: .hour) {
///     print(point.at?.description ?? "", point.value?.double ?? .nan)
/// }
/// ```
///
/// The service gives at most 1,000 points of a limited stretch at once (§4): this walks along them without a gap and without
/// a point twice. Points that are stored behind the walk's back while it goes on are not seen. Each iterator begins anew.
/// Iterating throws ``CosmError``, and `CancellationError` once the task is cancelled; points before were delivered.
public struct DatapointHistory: AsyncSequence, Sendable {
    /// A datapoint with its stamp.
    public typealias Element = Datapoint

    /// The points of a request, with the `Date` field of its response in seconds since 1970.
    struct Page: Sendable {
        let points: [Datapoint]
        var date: Int64?
    }

    let fetch: @Sendable (HistoryQuery) async throws -> Page
    let makeWalk: @Sendable () throws(CosmError) -> HistoryWalk

    /// An iterator, which fetches nothing before it is asked.
    public func makeAsyncIterator() -> Iterator { Iterator(history: self) }

    /// Takes the points one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let history: DatapointHistory
        private var walk: HistoryWalk?
        private var points: ArraySlice<Datapoint> = []
        private var isOver = false
        /// The `Date` field of the last response in seconds since 1970; `nil` if it had none.
        package private(set) var date: Int64?

        fileprivate init(history: DatapointHistory) { self.history = history }

        /// The next point; `nil` after the last.
        ///
        /// - Throws: ``CosmError``, once, then the sequence is over; `CancellationError`.
        public mutating func next() async throws -> Datapoint? {
            if let point = points.popFirst() { return point }
            guard !isOver else { return nil }
            do {
                var walk = try self.walk ?? history.makeWalk()
                while points.isEmpty, let query = walk.next() {
                    try Task.checkCancellation()
                    let page = try await history.fetch(query)
                    date = page.date
                    points = try walk.take(page.points)[...]
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

extension CosmAPI {
    /// A datastream's datapoints over any stretch of time: a request for each thousand, or for each stretch that the interval
    /// allows (``HistoryInterval/maximumWindow``).
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}`; needs `get` on the datastream (§4).
    ///
    /// - Parameters:
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    ///   - start: The first instant.
    ///   - end: The last instant. Default: when the iteration begins.
    ///   - interval: How far apart samples are. Default: every point, of which requests get at most six hours each.
    ///   - type: Whether samples are put on the grid. Default: they keep their own stamps.
    ///   - function: Makes one point of an interval's. Default: they are sampled.
    ///   - findsPrevious: Whether the last point before `start` comes first. Default: no.
    ///   - pageLimit: The points of one request, 2 to 1,000. Default: 1,000.
    public func history(
        of datastream: String,
        in feed: Feed.ID,
        from start: Timestamp,
        to end: Timestamp? = nil,
        every interval: HistoryInterval = .everyPoint,
        type: HistoryQuery.IntervalType? = nil,
        function: Datastream.Function? = nil,
        findsPrevious: Bool? = nil,
        pageLimit: Int = HistoryQuery.maximumLimit
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
                return DatapointHistory.Page(points: response.value.datapoints ?? [], date: date)
            },
            makeWalk: { () throws(CosmError) in
                guard 2...HistoryQuery.maximumLimit ~= pageLimit else {
                    throw .rule("pageLimit is \(pageLimit): 2 to \(HistoryQuery.maximumLimit) are possible")
                }
                let end = end ?? self.now
                if start > end { throw .rule("start is after end") }
                return HistoryWalk(from: start, to: end, interval: interval, template: template, limit: pageLimit)
            }
        )
    }
}
