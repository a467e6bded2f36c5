internal import HeliumServerKit

/// The means of the readings in each bucket. Buckets without readings have no mean.
struct BucketMeans {
    private let window: BucketWindow
    private var sums: [Sum]

    private struct Sum {
        var count = 0
        var sum = 0.0
        /// The sum of scaled-down values, which stays finite if ``sum`` overflows.
        var scaled = 0.0

        /// A power of two above the maximum number of readings in a bucket.
        static let scale = 0x1p40

        var mean: Double { sum.isFinite ? sum / Double(count) : scaled / Double(count) * Self.scale }
    }

    init(_ window: BucketWindow) {
        self.window = window
        sums = Array(repeating: Sum(), count: window.count)
    }

    /// Adds a reading within the window's range.
    mutating func add(_ reading: Reading) {
        let index = window.index(of: reading.instant)
        sums[index].count += 1
        sums[index].sum += reading.value
        sums[index].scaled += reading.value / Sum.scale
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
        sums.indices.compactMap { sums[$0].count > 0 ? (window.start(of: $0), sums[$0].mean) : nil }
    }
}
