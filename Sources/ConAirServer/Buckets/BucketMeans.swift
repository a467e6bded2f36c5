internal import HeliumCore
internal import HeliumServerKit

/// The means of the readings in each bucket. Buckets without readings have no mean.
struct BucketMeans {
    private let window: BucketWindow
    private var means: [RunningMean]

    init(_ window: BucketWindow) {
        self.window = window
        means = Array(repeating: RunningMean(), count: window.count)
    }

    /// Adds a reading within the window's range.
    mutating func add(_ reading: Reading) {
        means[window.index(of: reading.instant)].add(reading.value)
    }

    /// Adds the readings of the sensor and the stored ones, both in the order of time. A stored reading replaces the
    /// sensor's reading of the same instant.
    mutating func add(
        stored: [Reading],
        sensor: some Sequence<Reading>,
        where isShown: (Reading) -> Bool
    ) {
        var next = 0
        for reading in sensor where isShown(reading) {
            while next < stored.count, stored[next].instant < reading.instant { next += 1 }
            if next < stored.count, stored[next].instant == reading.instant { continue }
            add(reading)
        }
        for reading in stored where isShown(reading) { add(reading) }
    }

    /// The buckets with readings, in the order of time.
    var buckets: [(start: ServerInstant, mean: Double)] {
        means.indices.compactMap { index in means[index].value.map { (window.start(of: index), $0) } }
    }
}
