internal import ConAir
internal import HeliumConcurrency
internal import Synchronization

/// The charts of the ranges, each of which is made once for all viewers.
///
/// A change makes every viewer ask for the chart at the same time. Making one costs milliseconds per million points.
final class PageCharts: Sendable {
    /// A chart with the documents that were made of it.
    private struct Entry {
        let number: Int
        let time: SeriesTime
        let chart: ChartModel
        var points: [UInt8]?
        var pictures: [PictureSize: [UInt8]] = [:]
    }

    /// The time after which a chart is made again although no point has changed: its window ends at the present time.
    static let maximumAge = Duration.seconds(10)

    private let store: TimeSeriesStore
    private let texts: PageTexts
    private let entries = Guarded<[PageRange: Entry]>([:])
    private let made = Guarded(0)

    init(_ store: TimeSeriesStore, texts: PageTexts) {
        self.store = store
        self.texts = texts
    }

    /// The number of charts that were made.
    var madeCount: Int { made.withLock { $0 } }

    /// The chart of a range.
    func chart(_ range: PageRange) -> ChartModel { entry(range) { $0.chart } }

    /// The picture of a range.
    func picture(_ range: PageRange, _ size: PictureSize) -> [UInt8] {
        entry(range) { entry in
            if let picture = entry.pictures[size] { return picture }
            let picture = Array(SVGChart(entry.chart, width: size.width, height: size.height).data)
            entry.pictures[size] = picture
            return picture
        }
    }

    /// The chart of a range with the state as JSON.
    func snapshot(_ range: PageRange, _ status: PageStatus) -> [UInt8] {
        entry(range) { entry in
            let points = entry.points ?? PageDocuments.points(entry.chart)
            entry.points = points
            return PageDocuments.snapshot(entry.chart.window, points, range, number: entry.number, status)
        }
    }

    /// Uses the entry of a range, which is made if it is missing or old. Others wait meanwhile, and find it made.
    private func entry<Value: Sendable>(_ range: PageRange, _ use: (inout Entry) -> Value) -> Value {
        entries.withLock { entries in
            let snapshot = store.snapshot
            let now = store.sourceTime
            var entry: Entry
            if let known = entries[range], known.number == snapshot.number,
                (.zero..<Self.maximumAge).contains(known.time.duration(to: now))
            {
                entry = known
            } else {
                let chart = texts.chart(snapshot.points, range, now: now, step: store.step)
                entry = Entry(number: snapshot.number, time: now, chart: chart)
                made.withLock { $0 += 1 }
            }
            defer { entries[range] = entry }
            return use(&entry)
        }
    }
}
