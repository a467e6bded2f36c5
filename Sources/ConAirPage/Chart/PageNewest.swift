internal import ConAir

/// The newest value of a store, formatted for readers.
///
/// It has the digits of the chart beside it, so that the page, the picture and the description show the same number.
struct PageNewest: Hashable, Sendable {
    /// The value with its unit; `nil` if there is none.
    let value: String?
    /// The time of the value.
    let time: String?

    init(_ latest: SeriesPoint?, chart: ChartModel, clock: PageClock) {
        value = latest.map { chart.valueText($0.value) }
        time = latest.map { clock.dateAndTime($0.time) }
    }
}
