public import Foundation

/// What a chart shows of a series, without saying how: an ``SVGChart`` and a ``TerminalChart`` draw the same model.
///
/// ```swift
/// var options = ChartModel.Options(title: "Living room", unit: "°C")
/// options.zone = .current
/// let chart = ChartModel(store.points, window: yesterday..<now, step: .seconds(120), options: options)
/// try SVGChart(chart).data.write(to: file, options: .atomic)
/// ```
///
/// A line is never drawn over a gap: neighbours that are more than 1.5 steps apart belong to two ``runs``. A chart of nothing
/// has no ``values``, and both renderers say so in words.
public struct ChartModel: Sendable, Equatable {
    /// What is shown besides the points.
    public struct Options: Sendable, Equatable {
        /// The title, of any origin: what would be markup or a control character is shown as text. Default: none.
        public var title: String

        /// The unit of the values, shown after them. Default: none.
        public var unit: String

        /// The zone of the times that are shown. Default: UTC.
        public var zone: TimeZone

        /// Whether the values of 24 elapsed hours before are drawn too. Default: `false`.
        public var comparesDayBefore: Bool

        /// How many points a line has at most, about; more are down-sampled. Default: 1,000.
        public var maximumPoints: Int

        /// The room above the largest and below the smallest value, in the unit of the values. Default: 1.
        public var padding: Double

        /// Options with the defaults named at each property.
        public init(
            title: String = "",
            unit: String = "",
            zone: TimeZone = .gmt,
            comparesDayBefore: Bool = false,
            maximumPoints: Int = 1_000,
            padding: Double = 1
        ) {
            self.title = title
            self.unit = unit
            self.zone = zone
            self.comparesDayBefore = comparesDayBefore
            self.maximumPoints = maximumPoints
            self.padding = padding
        }
    }

    /// What was asked for.
    public let options: Options

    /// The times that the chart spans.
    public let window: Range<SeriesTime>

    /// The distance of neighbours where nothing is missing.
    public let step: Duration

    /// The points between gaps, in order.
    public let runs: [ChartRun]

    /// The points of 24 elapsed hours before, each a day later than it was; empty unless they are compared.
    public let dayBefore: [ChartRun]

    /// The values that the chart spans, padded; `nil` if there is nothing to show. Bounds are finite, and differ.
    public let values: ClosedRange<Double>?

    /// Figures of the points in the window; `nil` if there are none.
    public let statistics: SeriesStatistics?

    /// The change from 24 elapsed hours before the newest point in the window, if it is compared and there is one.
    public let dayChange: SeriesStatistics.Change?

    /// A chart of the points in a window.
    ///
    /// - Parameters:
    ///   - points: The points. Those of the day before the window are needed for the comparison alone. A value that is not
    ///     finite is left out.
    ///   - window: The times to show.
    ///   - step: The distance of neighbours where nothing is missing.
    ///   - options: Title, unit, zone and more.
    public init(
        _ points: SeriesPoints,
        window: Range<SeriesTime>,
        step: Duration,
        options: Options = Options()
    ) {
        let day = Duration.seconds(86_400)
        let shown = points.window(window).finite
        statistics = SeriesStatistics(shown, step: step)
        runs = ChartRun.runs(shown, step: step, maximum: options.maximumPoints)
        var dayBefore: [ChartRun] = []
        var dayChange: SeriesStatistics.Change?
        if options.comparesDayBefore {
            let before = window.lowerBound.advanced(by: .zero - day)..<window.upperBound.advanced(by: .zero - day)
            dayBefore = ChartRun.runs(points.window(before).finite, step: step, maximum: options.maximumPoints)
            for index in dayBefore.indices { dayBefore[index].move(by: day) }
            dayChange = statistics.flatMap { statistics in
                let base = statistics.latest.time.advanced(by: .zero - day).advanced(by: .zero - max(step, .zero))
                return SeriesStatistics(points.window(base..<window.upperBound).finite, step: step)?.dayChange
            }
        }
        self.options = options
        self.window = window
        self.step = step
        self.dayBefore = dayBefore
        self.dayChange = dayChange
        values = ValueScale.range(of: runs + dayBefore, padding: options.padding)
    }
}

extension SeriesPoints {
    /// The points whose value can be drawn: what a source returns is finite, but points may come from elsewhere.
    fileprivate var finite: SeriesPoints {
        var isFinite = true
        forEachColumn { _, values in isFinite = isFinite && values.allSatisfy(\.isFinite) }
        return isFinite ? self : SeriesPoints(filter(\.value.isFinite))
    }
}
