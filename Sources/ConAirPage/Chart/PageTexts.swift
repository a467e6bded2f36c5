internal import ConAir
internal import Foundation

/// The texts of a page that come from its owner or from a feed: without control characters and limited in length.
struct PageTexts: Sendable {
    let title: String
    let unit: String
    let clock: PageClock

    init(title: String, unit: String, zone: TimeZone) {
        let shown = DisplayText(title, cells: 120).text
        self.title = shown.isEmpty ? "Series" : shown
        self.unit = DisplayText(unit, cells: 24).text
        clock = PageClock(zone: zone)
    }

    /// Returns the chart of a range.
    func chart(_ points: SeriesPoints, _ range: PageRange, now: SeriesTime, step: Duration) -> ChartModel {
        let options = ChartModel.Options(title: range.caption, unit: unit, zone: clock.zone)
        return ChartModel(points, window: range.window(of: points, now: now), step: step, options: options)
    }
}
