internal import ConAir

/// The times that a page shows.
enum PageRange: String, CaseIterable, Sendable {
    case hour
    case day
    case week
    case all

    /// The range that a query asks for: `range=week`. A day if it asks for none, or for an unknown one.
    init(query: Substring) {
        let name = query.split(separator: "&").last { $0.hasPrefix("range=") }?.dropFirst("range=".count)
        self = name.flatMap { PageRange(rawValue: String($0)) } ?? .day
    }

    /// The name that readers see.
    var title: String {
        switch self {
        case .hour: "Hour"
        case .day: "Day"
        case .week: "Week"
        case .all: "All"
        }
    }

    /// The title of the picture of a chart.
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

    /// The window that ends at the present time, or at a newest point that is ahead of it.
    func window(of points: SeriesPoints, now: SeriesTime) -> Range<SeriesTime> {
        let moment = Duration.microseconds(1)
        let end = max(now, points.last?.time ?? now).advanced(by: moment)
        // A chart of nothing has the width of a day.
        let day = now.advanced(by: .seconds(-86_400))
        let start = span.map { now.advanced(by: .zero - $0) } ?? points.first.map { min($0.time, now) } ?? day
        return min(start, end.advanced(by: .zero - moment))..<end
    }
}
