internal import HeliumServerKit

/// The points of one datastream, as history reads them. Each call is one descent of an index and reads no row but those
/// that it gives.
protocol PointSource {
    /// The newest point of a closed range.
    func newest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint?
    /// The oldest point of a closed range.
    func oldest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint?
    /// The points of a closed range in order, newest first if so asked, until `body` returns false.
    func forEach(
        from start: ServerInstant,
        through end: ServerInstant,
        newestFirst: Bool,
        _ body: (Datapoint) throws -> Bool
    ) throws
}
