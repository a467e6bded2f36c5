import ArgumentParser
import ConAir
import Foundation

/// The `helium conair fetch` command.
struct ConAirFetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Print the points of the last 24 hours, or from --start to --stop.",
        discussion: """
            json has the elements that the service accepts, and csv the rows that helium cosm push accepts, both with \
            times in UTC. A step without readings has no point.
            """
    )

    @OptionGroup var options: SeriesOptions

    @Option(help: "table: columns for people; json: an array; csv: rows of time and value.")
    var format = SeriesFormat.table

    func run() async throws {
        let (window, format) = (options.window, format)
        try await options.perform { series in
            let reading = try await TerminationSignals.cancelling { try await SeriesReading.read(series, window) }
            let text = format.text(reading.points.window(reading.window), ZoneClock(zone: try window.zone))
            try Console.current.write(document: Data(text.utf8))
        }
    }
}
