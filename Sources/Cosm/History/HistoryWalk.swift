/// Walks along a long history, one request after the other, so that every point comes once (§4).
///
/// It does no I/O: ``next()`` says what to ask for, ``take(_:)`` is told what came.
///
/// - A request asks for no longer a stretch than its interval allows. Sampled histories are cut on the grid, whose instant
///   belongs to both sides: a sample between cuts would be lost otherwise.
/// - An answer with as many points as were asked for may have been cut off: the next request begins at its last stamp, and
///   the point there is the known one. Any other answer is all of its stretch.
struct HistoryWalk: Sendable {
    private let end: Timestamp
    private let interval: HistoryInterval
    private let template: HistoryQuery
    private let limit: Int
    /// Where the next request begins.
    private var position: Timestamp
    /// The end of the stretch that was asked for last.
    private var windowEnd: Timestamp
    /// The newest point that was handed out.
    private var last: Timestamp?
    private var isFirst = true
    /// Whether everything came.
    private(set) var isOver = false

    /// A walk.
    ///
    /// - Parameters:
    ///   - start: The first instant.
    ///   - end: The last instant.
    ///   - interval: How far apart samples are.
    ///   - template: What else each request says.
    ///   - limit: The points of one request, 2 to 1,000: one alone would be the known one again.
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

    /// The next request; `nil` once everything came.
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

    /// Where the stretch from an instant ends: on the grid, which begins at midnight UTC.
    private func cut(after start: Timestamp) -> Timestamp {
        // A calendar year may be 365 days long: never more.
        let longest = interval.maximumWindow.unit == .year ? CosmDuration.days(365) : interval.maximumWindow
        let furthest = start.adding(longest)
        if furthest >= end { return end }
        let step = Int64(interval.seconds) * 1_000_000
        guard step > 0 else { return furthest }
        let (_, beyond) = furthest.microseconds.quotientAndRemainder(dividingBy: step)
        return Timestamp(microseconds: furthest.microseconds - (beyond < 0 ? beyond + step : beyond))
    }

    /// Takes an answer's points and gives those that are new, in their order.
    ///
    /// - Throws: ``CosmError`` if the answer is full and brings nothing new, so that no request could.
    mutating func take(_ points: [Datapoint]) throws(CosmError) -> [Datapoint] {
        var new: [Datapoint] = []
        new.reserveCapacity(points.count)
        for point in Self.ascending(points) {
            guard let at = point.at, last.map({ at > $0 }) ?? true else { continue }
            last = at
            new.append(point)
        }
        isFirst = false
        if points.count >= limit {
            guard let last, last > position || !new.isEmpty, last >= position else {
                throw CosmError(.failed, "the server gives the same points again and again", delivery: .answered)
            }
            position = last
        } else if windowEnd >= end {
            isOver = true
        } else {
            position = windowEnd
        }
        return new
    }

    /// Answers come in ascending order; one that doesn't is put in it.
    private static func ascending(_ points: [Datapoint]) -> [Datapoint] {
        func isBefore(_ left: Datapoint, _ right: Datapoint) -> Bool {
            (left.at ?? Timestamp(microseconds: .min)) < (right.at ?? Timestamp(microseconds: .min))
        }
        let isSorted = zip(points, points.dropFirst()).allSatisfy { !isBefore($1, $0) }
        return isSorted ? points : points.sorted(by: isBefore)
    }
}
