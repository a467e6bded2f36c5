internal import ConAir
internal import HeliumConcurrency
internal import Synchronization

/// The charts of the ranges, each of which is made once for all viewers.
///
/// After a change, every viewer requests the chart at the same time. Making one takes milliseconds per million points.
final class PageCharts: Sendable {
    /// A chart with the documents made from it.
    private struct Entry {
        let number: Int
        let time: SeriesTime
        let chart: ChartModel
        let latest: SeriesPoint?
        var points: [UInt8]?
        var pictures: [PictureSize: [UInt8]] = [:]
    }

    /// The age at which a chart is made again even without new points, because its window ends at the current time.
    static let maximumAge = Duration.seconds(10)

    private let store: TimeSeriesStore
    private let texts: PageTexts
    private let entries = Guarded<[PageRange: Entry]>([:])
    private let made = Guarded(0)

    init(_ store: TimeSeriesStore, texts: PageTexts) {
        self.store = store
        self.texts = texts
    }

    /// The number of charts made so far.
    var madeCount: Int { made.withLock { $0 } }

    /// Returns the chart of a range.
    func chart(_ range: PageRange) -> ChartModel { entry(range) { $0.chart } }

    /// Returns the chart of a range, and the newest value of the store in its digits.
    func shown(_ range: PageRange) -> (chart: ChartModel, newest: PageNewest) {
        entry(range) { ($0.chart, newest($0)) }
    }

    private func newest(_ entry: Entry) -> PageNewest {
        PageNewest(entry.latest, chart: entry.chart, clock: texts.clock)
    }

    /// Returns the picture of a range.
    func picture(_ range: PageRange, _ size: PictureSize) -> [UInt8] {
        entry(range) { entry in
            if let picture = entry.pictures[size] { return picture }
            let picture = Array(SVGChart(entry.chart, width: size.width, height: size.height).data)
            entry.pictures[size] = picture
            return picture
        }
    }

    /// Returns the chart of a range, the newest value and the state as JSON.
    func snapshot(_ range: PageRange, _ status: PageStatus) -> [UInt8] {
        entry(range) { entry in
            let points = entry.points ?? PageDocuments.points(entry.chart)
            entry.points = points
            return PageDocuments.snapshot(entry.chart, points, range, number: entry.number, newest(entry), status)
        }
    }

    /// Uses the entry of a range, which is made if it is missing or old. Other callers wait until it is made.
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
                entry = Entry(number: snapshot.number, time: now, chart: chart, latest: snapshot.points.last)
                made.withLock { $0 += 1 }
            }
            defer { entries[range] = entry }
            return use(&entry)
        }
    }
}
