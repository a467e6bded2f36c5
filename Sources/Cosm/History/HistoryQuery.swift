internal import HeliumCore

/// The window and the sampling of the datapoints that a read returns (Docs/Protocols/Cosm.md §4).
///
/// ```swift
/// let day = HistoryQuery(duration: .days(1), interval: .quarterHour, limit: 1000)
/// ```
///
/// The window is from `start` to `end`. A `duration` extends forward from `start`, back from `end`, or, alone, back
/// from now. A query that breaks a rule of the service is not sent: the call throws an error that names the rule.
public struct HistoryQuery: Hashable, Sendable {
    /// The first instant. Default: `nil`.
    public var start: Timestamp?

    /// The last instant. Default: now.
    public var end: Timestamp?

    /// The length of the window. It cannot be combined with both `start` and `end`.
    public var duration: CosmDuration?

    /// The distance between samples. Default: every point of a window of up to 6 hours, otherwise the shortest interval
    /// that covers the window.
    public var interval: HistoryInterval?

    /// The timestamps of samples. Default: samples keep their own timestamps.
    public var intervalType: IntervalType?

    /// The maximum number of points of each datastream, 1 to 1,000, the earliest from `start` first. The server's
    /// default: 100.
    public var limit: Int?

    /// The page of such points, counted from 1. Default: the first. A new ``start`` is the better choice: `page` is an
    /// older option.
    public var page: Int?

    /// Whether the last point before `start` is included, so that a graph has no gap. It counts towards ``limit``.
    /// Default: no.
    public var findsPrevious: Bool?

    /// The aggregate function for the points of an interval. Default: points are sampled.
    public var function: Datastream.Function?

    /// Creates a query.
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

    /// A type of the timestamps of samples.
    public struct IntervalType: RawRepresentable, Hashable, Sendable {
        /// The name of the type.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Samples have timestamps on a grid that begins at midnight UTC. The previous sample is repeated if there is
        /// no newer point.
        public static let discrete = Self(rawValue: "discrete")
    }
}

extension HistoryQuery {
    /// The number of points that a response has by default.
    package static let defaultLimit = 100

    /// The maximum number of points of a response.
    package static let maximumLimit = 1000

    /// Returns the window of the query; `nil` if the query does not determine both of its ends.
    func window(now: Timestamp) throws(CosmError) -> (start: Timestamp, end: Timestamp)? {
        switch (start, end, duration) {
        case (.some, .some, .some):
            throw .rule("start, end and duration exclude each other: give two of them")
        case (let start?, let end?, nil):
            if start > end { throw .rule("start is after end") }
            return (start, end)
        case (let start?, nil, let duration?):
            return (start, start.adding(duration))
        case (nil, let end, let duration?):
            let end = end ?? now
            // The negative of the smallest integer is not an integer.
            return (end.adding(CosmDuration(-max(duration.count, -.max), duration.unit)), end)
        case (_, _, nil):
            // With a start alone the server covers as much as the interval allows.
            return nil
        }
    }

    /// Checks the rules of the service for history queries (Docs/Protocols/Cosm.md §4).
    ///
    /// - Parameter now: The current time, at which a duration without `start` and `end` ends.
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` that names the rule.
    package func validate(now: Timestamp = .now) throws(CosmError) {
        if let duration, duration.count < 1 { throw .rule("the duration \(duration) must be at least 1") }
        if let limit, !(1...Self.maximumLimit ~= limit) {
            throw .rule("limit is \(limit): it must be 1 to \(Self.maximumLimit)")
        }
        if let page, page < 1 { throw .rule("page is \(page): it must be at least 1") }
        guard let window = try window(now: now) else { return }
        if let interval {
            guard interval.reaches(from: window.start, to: window.end) else {
                throw .rule(
                    "the time range is longer than \(interval.maximumWindow), the maximum for interval \(interval.seconds)"
                )
            }
        } else if HistoryInterval.finest(from: window.start, to: window.end) == nil {
            throw .rule("the time range is longer than a year, the maximum for any interval")
        }
    }

    /// Returns the query parameters.
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

    /// Whether the query has no parameters. The server returns no datapoints then (Docs/Protocols/Cosm.md §4).
    var isEmpty: Bool { self == HistoryQuery() }
}
