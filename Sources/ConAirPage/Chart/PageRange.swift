internal import ConAir
internal import HeliumJSON

/// A time range that a page shows.
enum PageRange: String, CaseIterable, Sendable {
    case hour
    case day
    case week
    case all

    /// Reads the range from a query such as `range=week`. A missing or unknown range becomes a day.
    init(query: Substring) {
        let name = query.split(atByte: "&").last { $0.hasBytePrefix("range=") }?.split(atByte: "=", maxSplits: 1).last
        self = name.flatMap { PageRange(rawValue: String($0)) } ?? .day
    }

    /// The name shown to readers.
    var title: String {
        switch self {
        case .hour: "Hour"
        case .day: "Day"
        case .week: "Week"
        case .all: "All"
        }
    }

    /// The title of the chart's picture.
    var caption: String {
        switch self {
        case .hour: "Last hour"
        case .day: "Last 24 hours"
        case .week: "Last 7 days"
        case .all: "All points"
        }
    }

    private var span: Duration? {
        switch self {
        case .hour: .seconds(3_600)
        case .day: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        case .all: nil
        }
    }

    /// Returns the window that ends at the current time, or at the newest point if that is later.
    func window(of points: SeriesPoints, now: SeriesTime) -> Range<SeriesTime> {
        let moment = Duration.microseconds(1)
        let end = max(now, points.last?.time ?? now).advanced(by: moment)
        // A chart without points spans a day.
        let day = now.advanced(by: .seconds(-86_400))
        let start = span.map { now.advanced(by: .zero - $0) } ?? points.first.map { min($0.time, now) } ?? day
        return min(start, end.advanced(by: .zero - moment))..<end
    }
}
