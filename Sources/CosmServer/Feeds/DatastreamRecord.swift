internal import HeliumServerKit

/// A datastream as it is stored (§10).
struct DatastreamRecord: Hashable, Sendable {
    /// The number under which its points are stored; grows with every new stream, so it is the order of creation.
    @RowID var number: Int64
    var feed: Int
    var id: String
    var unit = UnitRecord()
    @TagLines var tags: [String] = []
    var currentValue: String?
    /// The stamp of ``currentValue``.
    var at: ServerInstant?
    var minimum: Double?
    var maximum: Double?
    /// The arrival of the last write that brought a value.
    var updated: ServerInstant?
    /// How many points are stored.
    var pointCount = 0
}

/// A datastream's unit; every part may be missing.
struct UnitRecord: Hashable, Sendable {
    var label: String?
    var symbol: String?
    var type: String?

    var isEmpty: Bool { self == Self() }
}

/// One value at one instant. Values are opaque text.
struct Datapoint: Hashable, Sendable {
    var at: ServerInstant
    var value: String
}
