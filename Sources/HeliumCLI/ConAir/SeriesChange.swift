import ConAir

/// A point that was inserted, replaced or removed.
struct SeriesChange: Hashable {
    enum Kind: String {
        case inserted
        case replaced
        case removed
    }

    let kind: Kind
    let point: SeriesPoint

    /// Returns the line `inserted 2012-12-11T20:28:00Z 21.4`.
    func line(_ clock: ZoneClock) -> OutputText { "\(kind.rawValue) \(clock.text(point.time)) \(point.value)" }

    /// Returns the changes that a batch makes to the points that were shown, in the order of their times.
    ///
    /// The points of a cache also arrive as a batch. Points that were shown before are not changes.
    static func changes(_ batch: SeriesChanges, shown: inout SeriesPoints) -> [SeriesChange] {
        var changes = batch.removed.compactMap { point in
            shown.value(at: point.time).map { _ in SeriesChange(kind: .removed, point: point) }
        }
        if let last = batch.removed.last {
            shown = shown.window(last.time.advanced(by: .microseconds(1))..<SeriesTime(microseconds: .max))
        }
        for point in batch.inserted + batch.replaced {
            let old = shown.value(at: point.time)
            guard old != point.value else { continue }
            changes.append(SeriesChange(kind: old == nil ? .inserted : .replaced, point: point))
            shown.set(point)
        }
        return changes.sorted { $0.point.time < $1.point.time }
    }

    /// Returns the differences between two states of a series, in the order of their times.
    static func changes(from old: SeriesPoints, to new: SeriesPoints) -> [SeriesChange] {
        var changes: [SeriesChange] = []
        var (olds, news) = (old.makeIterator(), new.makeIterator())
        var (left, right) = (olds.next(), news.next())
        while left != nil || right != nil {
            if let removed = left, right.map({ removed.time < $0.time }) ?? true {
                changes.append(SeriesChange(kind: .removed, point: removed))
                left = olds.next()
            } else if let inserted = right, left.map({ inserted.time < $0.time }) ?? true {
                changes.append(SeriesChange(kind: .inserted, point: inserted))
                right = news.next()
            } else {
                if let right, left != right { changes.append(SeriesChange(kind: .replaced, point: right)) }
                (left, right) = (olds.next(), news.next())
            }
        }
        return changes
    }
}
