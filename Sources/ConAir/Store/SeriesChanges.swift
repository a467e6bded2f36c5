/// The changes of a series in one step: those of one reply.
public struct SeriesChanges: Hashable, Sendable {
    /// The number of the batch. Batches of a store are numbered 1, 2, 3, …
    public let number: Int

    /// The new points, oldest first. They may include points that are older than known ones.
    public let inserted: [SeriesPoint]

    /// The points whose value changed, with the new value, oldest first.
    public let replaced: [SeriesPoint]

    /// The points that retention removed, oldest first.
    public let removed: [SeriesPoint]
}

/// All points of a series after a batch.
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
    /// All points: the first element, and the element after a listener fell behind.
    case snapshot(SeriesSnapshot)

    /// The changes after the previous element. Their numbers have no gaps.
    case changes(SeriesChanges)
}
