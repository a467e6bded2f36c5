internal import HeliumCore

/// The range of datapoints to delete (Docs/Protocols/Cosm.md §6).
///
/// A range goes from `start` on, up to `end`, or from `start` to `end`. A `duration` extends forward from `start` or
/// back from `end`. Both bounds are inclusive.
public struct DatapointRange: Hashable, Sendable {
    /// The first instant. Default: `nil`, the first datapoint.
    public var start: Timestamp?

    /// The last instant. Default: `nil`, the last datapoint.
    public var end: Timestamp?

    /// The length of the range, measured from the one bound that is set.
    public var duration: CosmDuration?

    /// Creates a range.
    public init(start: Timestamp? = nil, end: Timestamp? = nil, duration: CosmDuration? = nil) {
        self.start = start
        self.end = end
        self.duration = duration
    }

    /// Returns the query parameters of the range.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` if there is neither `start` nor `end`, if all
    ///   three parts are set, if `start` is after `end`, or if the duration is not positive.
    func parameters() throws(CosmError) -> QueryParameters {
        if start == nil, end == nil {
            throw .rule("a range needs start or end: without them it would have all datapoints")
        }
        if start != nil, end != nil, duration != nil {
            throw .rule("start, end and duration exclude each other: give two of them")
        }
        if let start, let end, start > end { throw .rule("start is after end") }
        if let duration, duration.count < 1 { throw .rule("the duration \(duration) must be at least 1") }
        return ["start": start?.description, "end": end?.description, "duration": duration?.description]
    }
}
