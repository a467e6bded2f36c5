internal import HeliumCore

/// Which datapoints a read gives (§4).
///
/// ```swift
/// let day = HistoryQuery(duration: .days(1), interval: .quarterHour, limit: 1000)
/// ```
///
/// The stretch is from `start` to `end`; a `duration` goes forward from `start`, or back from `end`, or alone back from now.
/// Nothing is sent that breaks one of the service's rules: the call fails and says which.
public struct HistoryQuery: Hashable, Sendable {
    /// The first instant. Default: none.
    public var start: Timestamp?

    /// The last instant. Default: now.
    public var end: Timestamp?

    /// How long the stretch is; not together with both `start` and `end`.
    public var duration: CosmDuration?

    /// How far apart samples are. Default: every point of up to 6 hours, else the finest that reaches over the stretch.
    public var interval: HistoryInterval?

    /// Whether samples are put on the grid. Default: they keep their own stamps.
    public var intervalType: IntervalType?

    /// The most points of each datastream, 1 to 1,000: the earliest from `start`. The server's default: 100.
    public var limit: Int?

    /// Which of such pages, from 1: the older way of going on, for which a new `start` is the better. Default: the first.
    public var page: Int?

    /// Whether the last point before `start` comes too, so that a graph has no gap. Default: no.
    public var findsPrevious: Bool?

    /// Points of an interval are made one by this. Default: they are sampled.
    public var function: Datastream.Function?

    /// A query of these parts.
    public init(
        start: Timestamp? = nil,
        end: Timestamp? = nil,
        duration: CosmDuration? = nil,
        interval: HistoryInterval? = nil,
        intervalType: IntervalType? = nil,
        limit: Int? = nil,
        page: Int? = nil,
        findsPrevious: Bool? = nil,
        function: Datastream.Function? = nil
    ) {
        self.start = start
        self.end = end
        self.duration = duration
        self.interval = interval
        self.intervalType = intervalType
        self.limit = limit
        self.page = page
        self.findsPrevious = findsPrevious
        self.function = function
    }

    /// What stamps samples have.
    public struct IntervalType: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// A type by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Samples stand on the grid, which begins at midnight UTC; one is repeated where nothing newer came.
        public static let discrete = Self(rawValue: "discrete")
    }
}

extension HistoryQuery {
    /// The points a request gives unless it says otherwise.
    public static let defaultLimit = 100

    /// The most points a request can give.
    public static let maximumLimit = 1000

    /// The stretch that is asked for where the query says how long it is; `nil` if it has no beginning.
    func window(now: Timestamp) throws(CosmError) -> (start: Timestamp, end: Timestamp)? {
        switch (start, end, duration) {
        case (.some, .some, .some):
            throw .rule("start, end and duration together say the stretch twice")
        case (let start?, let end?, nil):
            if start > end { throw .rule("start is after end") }
            return (start, end)
        case (let start?, nil, let duration?):
            return (start, start.adding(duration))
        case (nil, let end, let duration?):
            let end = end ?? now
            return (end.adding(CosmDuration(-duration.count, duration.unit)), end)
        case (_, _, nil):
            // From a start alone the server goes as far as the interval reaches.
            return nil
        }
    }

    /// Checks every rule of §4.
    ///
    /// - Parameter now: What "now" is to durations that end there.
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest``, naming the rule.
    public func validate(now: Timestamp = .now) throws(CosmError) {
        if let duration, duration.count < 1 { throw .rule("the duration \(duration) is none") }
        if let limit, !(1...Self.maximumLimit ~= limit) {
            throw .rule("limit is \(limit): 1 to \(Self.maximumLimit) are possible")
        }
        if let page, page < 1 { throw .rule("page is \(page): pages are counted from 1") }
        guard let window = try window(now: now) else { return }
        if let interval {
            guard interval.reaches(from: window.start, to: window.end) else {
                throw .rule(
                    "the stretch is longer than \(interval.maximumWindow), which is the most at "
                        + (interval.seconds == 0 ? "every point" : "an interval of \(interval.seconds) seconds")
                )
            }
        } else if HistoryInterval.finest(from: window.start, to: window.end) == nil {
            throw .rule("the stretch is longer than a year, which is the most at any interval")
        }
    }

    /// The parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest``.
    func parameters(now: Timestamp) throws(CosmError) -> QueryParameters {
        try validate(now: now)
        return [
            "start": start?.description, "end": end?.description, "duration": duration?.description,
            "interval": interval?.seconds, "interval_type": intervalType?.rawValue, "limit": limit, "page": page,
            "find_previous": findsPrevious, "function": function?.rawValue,
        ]
    }

    /// Whether the query asks for anything: without any parameter the server gives no datapoints (§4).
    var isEmpty: Bool { self == HistoryQuery() }
}
