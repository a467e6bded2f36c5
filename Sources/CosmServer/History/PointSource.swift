internal import HeliumServerKit

/// The points of a datastream as history queries read them. Each call is one descent of an index and reads only rows
/// that it returns.
protocol PointSource {
    /// Returns the newest point of a closed range; `nil` if there is none.
    func newest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint?
    /// Returns the oldest point of a closed range; `nil` if there is none.
    func oldest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint?
    /// Calls `body` with the points of a closed range in order, until it returns `false`.
    func forEach(
        from start: ServerInstant,
        through end: ServerInstant,
        newestFirst: Bool,
        _ body: (Datapoint) throws -> Bool
    ) throws
}
