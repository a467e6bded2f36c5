import ConAir
import Testing

/// Applies the updates of a store as a listener does, and checks that each change comes once.
struct Listener {
    private(set) var values: [SeriesTime: Double] = [:]
    private(set) var lastNumber: Int?
    private(set) var snapshotCount = 0
    private(set) var removedBatchCount = 0
    /// The number of batches that removed all points and inserted others.
    private(set) var renewalCount = 0
    /// The errors found in updates.
    private(set) var faults: [String] = []

    var points: SeriesPoints { SeriesPoints(values.map { SeriesPoint(time: $0.key, value: $0.value) }) }

    mutating func take(_ update: SeriesUpdate) {
        switch update {
        case .snapshot(let snapshot):
            if let lastNumber, snapshot.number <= lastNumber { faults.append("an old snapshot, \(snapshot.number)") }
            snapshotCount += 1
            lastNumber = snapshot.number
            values = Dictionary(uniqueKeysWithValues: snapshot.points.map { ($0.time, $0.value) })
        case .changes(let changes):
            if lastNumber.map({ $0 + 1 != changes.number }) ?? true { faults.append("a hole before \(changes.number)") }
            lastNumber = changes.number
            if !changes.removed.isEmpty { removedBatchCount += 1 }
            for point in changes.removed where values.removeValue(forKey: point.time) == nil {
                faults.append("removed and not there: \(point)")
            }
            if !changes.removed.isEmpty, !changes.inserted.isEmpty, values.isEmpty { renewalCount += 1 }
            for point in changes.inserted where values.updateValue(point.value, forKey: point.time) != nil {
                faults.append("inserted twice: \(point)")
            }
            for point in changes.replaced {
                let old = values.updateValue(point.value, forKey: point.time)
                if old == nil || old == point.value { faults.append("replaced and not changed: \(point)") }
            }
        }
    }

    /// Takes updates until that of a number has come.
    mutating func take(_ iterator: inout SeriesUpdates.Iterator, until number: Int) async {
        while lastNumber.map({ $0 < number }) ?? true, let update = await iterator.next() { take(update) }
    }
}
