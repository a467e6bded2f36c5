import ConAir

/// A point that is new, has another value, or is gone.
struct SeriesChange: Hashable {
    enum Kind: String {
        case inserted
        case replaced
        case removed
    }

    let kind: Kind
    let point: SeriesPoint

    /// `inserted 2012-12-11T20:28:00Z 21.4`.
    func line(_ clock: ZoneClock) -> String { "\(kind.rawValue) \(clock.text(point.time)) \(point.value)" }

    /// The differences between two states of a series, in the order of their times.
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
