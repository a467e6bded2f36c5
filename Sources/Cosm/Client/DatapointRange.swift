internal import HeliumCore

/// Which datapoints are deleted (§6): from `start` on, up to `end`, or between; a `duration` goes forward from `start` or back
/// from `end`. Bounds belong to it.
public struct DatapointRange: Hashable, Sendable {
    /// The first instant. Default: the very first.
    public var start: Timestamp?

    /// The last instant. Default: the very last.
    public var end: Timestamp?

    /// How long the range is, from the one bound that is given.
    public var duration: CosmDuration?

    /// A range.
    public init(start: Timestamp? = nil, end: Timestamp? = nil, duration: CosmDuration? = nil) {
        self.start = start
        self.end = end
        self.duration = duration
    }

    /// The parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` for no bound at all, which would be everything, and for
    ///   a range that is said twice.
    func parameters() throws(CosmError) -> QueryParameters {
        if start == nil, end == nil { throw .rule("a range without start and end would be all datapoints") }
        if start != nil, end != nil, duration != nil {
            throw .rule("start, end and duration together say the range twice")
        }
        if let start, let end, start > end { throw .rule("start is after end") }
        if let duration, duration.count < 1 { throw .rule("the duration \(duration) is none") }
        return ["start": start?.description, "end": end?.description, "duration": duration?.description]
    }
}
