internal import HeliumServerKit

/// A stored datastream (Docs/Protocols/Cosm.md §10).
struct DatastreamRecord: Hashable, Sendable {
    /// The number under which its points are stored. It increases with each new datastream and is the order of
    /// creation.
    @RowID var number: Int64
    var feed: Int
    var id: String
    var unit = UnitRecord()
    @TagLines var tags: [String] = []
    var currentValue: String?
    /// The timestamp of ``currentValue``.
    var at: ServerInstant?
    var minimum: Double?
    var maximum: Double?
    /// The time of arrival of the last write with a value.
    var updated: ServerInstant?
    /// The number of stored points.
    var pointCount = 0
}

/// The unit of a datastream. Every member is optional.
struct UnitRecord: Hashable, Sendable {
    var label: String?
    var symbol: String?
    var type: String?

    var isEmpty: Bool { self == Self() }
}

/// A value at an instant. Values are opaque texts.
struct Datapoint: Hashable, Sendable {
    var at: ServerInstant
    var value: String
}
