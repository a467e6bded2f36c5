/// The decision on the changes that a reply makes to the known points. A value without I/O.
///
/// A known point that is missing from the reply is kept. Only retention removes points.
package struct MergeDecision: Hashable, Sendable {
    /// The maximum time by which a point may be ahead of the server. A single point of the year 2099 would stop
    /// polling.
    package static let maximumLead = Duration.seconds(3600)

    /// The new points.
    package private(set) var inserted: [SeriesPoint] = []

    /// The points whose value changed, with the new value.
    package private(set) var replaced: [SeriesPoint] = []

    /// The known points that retention removes, which are the oldest ones.
    package private(set) var removed: [SeriesPoint] = []

    /// The number of points that were dropped because they are more than an hour ahead of the server.
    package private(set) var aheadCount = 0

    /// Whether nothing changes.
    package var isEmpty: Bool { inserted.isEmpty && replaced.isEmpty && removed.isEmpty }

    /// Decides on a reply.
    ///
    /// - Parameters:
    ///   - reply: Points in the order of their times, without duplicate times.
    ///   - known: The known points.
    ///   - now: The time of the server.
    ///   - oldest: The earliest time of a point that may be kept.
    ///   - maximumCount: The maximum number of points that may be kept.
    package init(
        _ reply: [SeriesPoint],
        into known: SeriesPoints,
        now: SeriesTime,
        oldest: SeriesTime,
        maximumCount: Int
    ) {
        let end = reply.index(atOrAfter: now.advanced(by: Self.maximumLead).advanced(by: .microseconds(1)))
        aheadCount = reply.count - end
        let start = min(reply.index(atOrAfter: oldest), end)
        compare(start == 0 && end == reply.count ? reply[...] : reply[start..<end], with: known)
        removeOldest(of: known, before: oldest, maximumCount: max(1, maximumCount))
    }

    /// Decides on points from a cache. They are older than all known points, so they replace nothing.
    package init(cached: [SeriesPoint], into known: SeriesPoints, maximumCount: Int) {
        compare(cached[...], with: known)
        replaced = []
        removeOldest(of: known, before: SeriesTime(microseconds: .min), maximumCount: max(1, maximumCount))
    }

    private mutating func compare(_ reply: ArraySlice<SeriesPoint>, with known: SeriesPoints) {
        guard let first = reply.first else { return }
        // The usual case of a first read: all points are later than the known ones.
        if known.last.map({ $0.time < first.time }) ?? true {
            inserted = Array(reply)
            return
        }
        var index = known.index(atOrAfter: first.time)
        let end = known.endIndex
        for point in reply {
            while index < end, known[index].time < point.time { index = known.index(after: index) }
            if index < end, case let old = known[index], old.time == point.time {
                if old.value != point.value { replaced.append(point) }
            } else {
                inserted.append(point)
            }
        }
    }

    /// Removes the oldest known and new points beyond the retention limits.
    private mutating func removeOldest(of known: SeriesPoints, before oldest: SeriesTime, maximumCount: Int) {
        var excess = known.count + inserted.count - maximumCount
        var index = known.startIndex
        var dropped = 0
        while true {
            let oldestKnown = index < known.endIndex ? known[index] : nil
            let oldestNew = dropped < inserted.count ? inserted[dropped] : nil
            if let oldestKnown, oldestNew.map({ oldestKnown.time < $0.time }) ?? true {
                guard excess > 0 || oldestKnown.time < oldest else { break }
                removed.append(oldestKnown)
                index = known.index(after: index)
            } else if let oldestNew {
                guard excess > 0 || oldestNew.time < oldest else { break }
                dropped += 1
            } else {
                break
            }
            excess -= 1
        }
        inserted.removeFirst(dropped)
        if let last = removed.last { replaced.removeAll { $0.time <= last.time } }
    }
}

extension SeriesPoints {
    /// Applies a decision that was made for these points.
    mutating func apply(_ decision: MergeDecision) {
        removeFirst(decision.removed.count)
        if let first = decision.inserted.first, last.map({ $0.time < first.time }) ?? true {
            append(contentsOf: decision.inserted[...])
        } else {
            for point in decision.inserted { set(point) }
        }
        for point in decision.replaced { set(point) }
    }
}
