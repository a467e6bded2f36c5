import ArgumentParser
import ConAir
import Foundation

/// The window of points and the time zone of their times.
struct SeriesWindowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The start of the window. Default: 24 hours, or two steps, before the end.",
            valueName: "time"
        )
    )
    var start: SeriesTime?

    @Option(help: ArgumentHelp("The end of the window, exclusive. Default: now.", valueName: "time"))
    var stop: SeriesTime?

    @Option(
        name: .customLong("step"),
        help: ArgumentHelp("The seconds between two points. Each point is a mean.", valueName: "seconds")
    )
    var stepArgument = StepArgument(seconds: 120)

    @Option(
        name: .customLong("zone"),
        help: ArgumentHelp(
            "The time zone in tables, lines and charts. Default: the zone of the machine.",
            valueName: "name"
        )
    )
    var zoneArgument: ZoneArgument?

    /// The length of a window without `--start`: 24 hours, or two steps if that is longer.
    var defaultSpan: Duration { get throws { max(.seconds(86_400), try step * 2) } }

    /// The maximum number of steps in a window. It equals the number of points that a store keeps.
    static let maximumSteps: Int64 = 1_000_000

    func validate() throws {
        _ = try (step, zone)
        if let start, let stop, start >= stop { throw ValidationError("--start must be before --stop") }
        if let start, let stop { _ = try checked(start..<stop) }
    }

    /// The interval between two points.
    var step: Duration { get throws { try stepArgument.duration() } }

    /// The time zone for displayed times.
    var zone: TimeZone {
        get throws {
            if let zoneArgument { return try zoneArgument.zone() }
            return try MachineZone(variable: CommandContext.current.variable("TZ")).zone()
        }
    }

    /// Returns the window that ends at `--stop`, or at the present time.
    ///
    /// - Throws: `ValidationError` if the window is empty or has too many steps.
    func window(now: SeriesTime) throws -> Range<SeriesTime> {
        let end = stop ?? now
        let first = try start ?? end.advanced(by: .zero - defaultSpan)
        guard first < end else { throw ValidationError("--start must be before the present time, \(now)") }
        return try checked(first..<end)
    }

    private func checked(_ window: Range<SeriesTime>) throws -> Range<SeriesTime> {
        let steps = window.lowerBound.duration(to: window.upperBound) / (try step)
        guard steps <= Double(Self.maximumSteps) else {
            throw ValidationError(
                "the window has more than \(Self.maximumSteps) steps: use a longer --step, or a shorter window"
            )
        }
        return window
    }
}
