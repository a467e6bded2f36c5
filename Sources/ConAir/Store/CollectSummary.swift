/// The effects of a collection.
public struct CollectSummary: Hashable, Sendable {
    /// The number of new points.
    public internal(set) var insertedCount = 0

    /// The number of points whose value changed.
    public internal(set) var replacedCount = 0

    /// The number of points that retention removed.
    public internal(set) var removedCount = 0

    /// The number of elements without a readable time or a finite number.
    public internal(set) var skippedCount = 0

    /// The number of points that were dropped because they are more than an hour ahead of the server.
    public internal(set) var aheadCount = 0

    /// Creates a summary without effects.
    public init() {}
}
