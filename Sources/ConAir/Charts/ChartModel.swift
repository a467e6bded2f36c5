public import Foundation

/// The content of a chart of a series, independent of its rendering. An ``SVGChart`` and a ``TerminalChart`` render the
/// same model.
///
/// ```swift
/// var options = ChartModel.Options(title: "Living room", unit: "°C")
/// options.zone = .current
/// let chart = ChartModel(store.points, window: yesterday..<now, step: .seconds(120), options: options)
/// try SVGChart(chart).data.write(to: file, options: .atomic)
/// ```
///
/// A line is never drawn across a gap: neighbors that are more than 1.5 steps apart belong to two ``runs``. A chart
/// without points has no ``values``, and both renderers then show a text.
public struct ChartModel: Sendable, Equatable {
    /// The content of a chart besides its points.
    public struct Options: Sendable, Equatable {
        /// The title. It may come from an untrusted source: markup and control characters are shown as text. Default:
        /// empty.
        public var title: String

        /// The unit of the values, shown after them. Default: empty.
        public var unit: String

        /// The time zone of the displayed times. Default: UTC.
        public var zone: TimeZone

        /// Whether the values of 24 elapsed hours before are also drawn. Default: `false`.
        public var comparesDayBefore: Bool

        /// The approximate maximum number of points of a line. More points are down-sampled. Default: 1,000.
        public var maximumPoints: Int

        /// The padding above the largest and below the smallest value, in the unit of the values, and at most a tenth of
        /// their range. Values that are all the same, or differ by rounding errors only, have the whole padding.
        /// Default: 1.
        public var padding: Double

        /// Creates options with the defaults given for each property.
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

    /// The options of the chart.
    public let options: Options

    /// The time span of the chart.
    public let window: Range<SeriesTime>

    /// The distance of neighbors without a gap.
    public let step: Duration

    /// The points between gaps, in order.
    public let runs: [ChartRun]

    /// The points of 24 elapsed hours before, shifted by a day; empty unless the days are compared.
    public let dayBefore: [ChartRun]

    /// The value range of the chart, including padding; `nil` without points. The bounds are finite and differ.
    public let values: ClosedRange<Double>?

    /// The range of the values of the chart, without padding; `nil` without points.
    let extent: ClosedRange<Double>?

    /// The statistics of the points in the window; `nil` if there are none.
    public let statistics: SeriesStatistics?

    /// The change in the 24 elapsed hours before the newest point of the window; `nil` if days are not compared or the
    /// earlier point is missing.
    public let dayChange: SeriesStatistics.Change?

    /// Creates a chart of the points in a window.
    ///
    /// - Parameters:
    ///   - points: The points. The points of the day before the window are only needed for the comparison. Values that
    ///     are not finite are left out.
    ///   - window: The time span to show.
    ///   - step: The distance of neighbors without a gap.
    ///   - options: The title, the unit, the time zone and other options.
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
        extent = ValueScale.extent(of: runs + dayBefore)
        values = extent.map { ValueScale.padded($0, padding: options.padding) }
    }
}

extension SeriesPoints {
    /// The points with finite values. A source only returns finite values, but points may have another origin.
    fileprivate var finite: SeriesPoints {
        var isFinite = true
        forEachColumn { _, values in isFinite = isFinite && values.allSatisfy(\.isFinite) }
        return isFinite ? self : SeriesPoints(filter(\.value.isFinite))
    }
}
