/// Divides a long history into requests, so that every point is delivered once (Docs/Protocols/Cosm.md §4).
///
/// It does no I/O: ``next()`` returns the next query, and ``take(_:)`` takes the points of its response.
///
/// - A request covers no longer a window than its interval allows. The windows of sampled histories end on the grid,
///   and the instant at a boundary belongs to both windows. Otherwise a sample between two windows would be lost.
/// - A response with as many points as the limit may be incomplete. The next request begins at its last timestamp, and
///   the point there is already known. Any other response covers its whole window.
struct HistoryWalk: Sendable {
    private let end: Timestamp
    private let interval: HistoryInterval
    private let template: HistoryQuery
    private let limit: Int
    /// The start of the next request.
    private var position: Timestamp
    /// The end of the window of the last request.
    private var windowEnd: Timestamp
    /// The timestamp of the newest point that was delivered.
    private var last: Timestamp?
    private var isFirst = true
    /// Whether all points have been delivered.
    private(set) var isOver = false

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - start: The first instant.
    ///   - end: The last instant.
    ///   - interval: The distance between samples.
    ///   - template: The other parameters of each request.
    ///   - limit: The maximum number of points of a response, 2 to 1,000. With a limit of 1 each response would repeat
    ///     the known point.
    init(
        from start: Timestamp,
        to end: Timestamp,
        interval: HistoryInterval,
        template: HistoryQuery = HistoryQuery(),
        limit: Int
    ) {
        self.end = end
        self.interval = interval
        self.template = template
        self.limit = min(max(2, limit), HistoryQuery.maximumLimit)
        position = start
        windowEnd = start
        isOver = start > end
    }

    /// Returns the next query, or `nil` once all points have been delivered.
    mutating func next() -> HistoryQuery? {
        guard !isOver else { return nil }
        windowEnd = cut(after: position)
        var query = template
        query.start = position
        query.end = windowEnd
        query.duration = nil
        query.interval = interval
        query.limit = limit
        query.page = nil
        query.findsPrevious = isFirst ? template.findsPrevious : nil
        return query
    }

    /// Returns the end of the window that begins at an instant. It is on the grid, which begins at midnight UTC.
    private func cut(after start: Timestamp) -> Timestamp {
        // A calendar year may have only 365 days.
        let longest = interval.maximumWindow.unit == .year ? CosmDuration.days(365) : interval.maximumWindow
        let furthest = start.adding(longest)
        if furthest >= end { return end }
        let step = Int64(interval.seconds) * 1_000_000
        guard step > 0 else { return furthest }
        let (_, beyond) = furthest.microseconds.quotientAndRemainder(dividingBy: step)
        return Timestamp(microseconds: furthest.microseconds - (beyond < 0 ? beyond + step : beyond))
    }

    /// Takes the points of a response and returns those that are new, in order.
    ///
    /// - Parameter unreadableCount: The number of points of the response that could not be read. They count for its
    ///   limit.
    /// - Throws: ``CosmError`` if the response is full and has no new point, so that another request would return the
    ///   same.
    mutating func take(_ points: [Datapoint], unreadableCount: Int = 0) throws(CosmError) -> [Datapoint] {
        var new: [Datapoint] = []
        new.reserveCapacity(points.count)
        for point in Self.ascending(points) {
            guard let at = point.at, last.map({ at > $0 }) ?? true else { continue }
            last = at
            new.append(point)
        }
        isFirst = false
        if points.count + unreadableCount >= limit {
            guard let last, last > position || !new.isEmpty, last >= position else {
                throw CosmError(.failed, "the server returns the same points repeatedly", delivery: .answered)
            }
            position = last
        } else if windowEnd >= end {
            isOver = true
        } else {
            position = windowEnd
        }
        return new
    }

    /// Returns the points in ascending order. Responses are normally sorted already.
    private static func ascending(_ points: [Datapoint]) -> [Datapoint] {
        func isBefore(_ left: Datapoint, _ right: Datapoint) -> Bool {
            (left.at ?? Timestamp(microseconds: .min)) < (right.at ?? Timestamp(microseconds: .min))
        }
        let isSorted = zip(points, points.dropFirst()).allSatisfy { !isBefore($1, $0) }
        return isSorted ? points : points.sorted(by: isBefore)
    }
}
