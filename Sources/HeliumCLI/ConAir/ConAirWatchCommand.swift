import ArgumentParser
import ConAir
import Foundation

/// The `helium conair watch` command.
struct ConAirWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Show the last 24 hours, or the points from --start on, as a chart that is redrawn until a signal arrives.",
        discussion: """
            The chart consists of braille characters, or of ASCII if the locale is not UTF-8. It has colours unless \
            the variable NO_COLOR is set. Without a terminal, a line with time and value is printed for each new or \
            changed point.
            """
    )

    @OptionGroup var options: SeriesOptions
    @OptionGroup var chart: SeriesChartOptions
    @OptionGroup var period: PeriodOptions

    func run() async throws {
        let (window, chart, period) = (options.window, chart, period.duration)
        try await options.perform { series in
            let following = try await SeriesFollowing(series, window, period: period, lead: chart.lead)
            let zone = try window.zone
            let terminal = ChartTerminal()
            if terminal.isScreen {
                let view = SeriesView(
                    store: following.store,
                    window: window,
                    chart: chart,
                    zone: zone,
                    terminal: terminal
                )
                return try await view.run()
            }
            let clock = ZoneClock(zone: zone)
            try await following.run(until: window.stop) { change in
                guard change.kind != .removed else { return }
                try Console.current.stream("\(clock.text(change.point.time)) \(change.point.value)")
            }
        }
    }
}
