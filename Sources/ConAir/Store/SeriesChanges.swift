/// The changes of a series in one step: those of one reply.
public struct SeriesChanges: Hashable, Sendable {
    /// The number of the batch. Batches of a store are numbered 1, 2, 3, …
    public let number: Int

    /// The new points, oldest first. Not all are newer than the known ones: points can be late.
    public let inserted: [SeriesPoint]

    /// The points whose value has changed, with the new value, oldest first.
    public let replaced: [SeriesPoint]

    /// The points that retention has removed, oldest first.
    public let removed: [SeriesPoint]
}

/// All points of a series, as of a batch.
public struct SeriesSnapshot: Hashable, Sendable {
    /// The number of the last batch that the points include; 0 before the first.
    public let number: Int

    /// The points.
    public let points: SeriesPoints
}

extension SeriesPoints: Hashable {
    /// Hashes the number of points and the last one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(last)
    }
}

/// An element of ``SeriesUpdates``.
public enum SeriesUpdate: Hashable, Sendable {
    /// All points: the first element, and the one after a listener has fallen behind.
    case snapshot(SeriesSnapshot)

    /// The changes that follow the element before, without a hole between their numbers.
    case changes(SeriesChanges)
}
