import ArgumentParser
import ConAir

/// The `helium conair poll` command.
struct ConAirPollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "Print a line for each point that is new, changed or removed, until a signal arrives.",
        discussion: """
            A line has one of the words inserted, replaced and removed, the time and the value. The first poll reads \
            the last 24 hours, or the points from --start on. Points in the cache are not printed. After failures, \
            which are reported on stderr, the delays grow up to 5 minutes.
            """
    )

    @OptionGroup var options: SeriesOptions
    @OptionGroup var period: PeriodOptions

    @Option(
        help: ArgumentHelp("End after this number of polls, with status 1 if the last one failed.", valueName: "number")
    )
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    }

    func run() async throws {
        let (window, period, count) = (options.window, period.duration, count)
        try await options.perform { series in
            let following = try await SeriesFollowing(series, window, period: period)
            let clock = ZoneClock(zone: try window.zone)
            try await following.run(count: count, until: window.stop) { try Console.current.stream($0.line(clock)) }
        }
    }
}

/// The time between two polls.
struct PeriodOptions: ParsableArguments {
    @Option(
        name: .customLong("period"),
        help: ArgumentHelp("The time between two polls: 500ms, 10s, 1m. Default: 10s.", valueName: "time")
    )
    private var argument: DurationArgument?

    var duration: Duration? { argument?.duration }
}
