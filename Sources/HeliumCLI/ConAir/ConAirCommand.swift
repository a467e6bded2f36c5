import ArgumentParser

/// The `helium conair` command: a series of measurements.
struct ConAirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conair",
        abstract: "Read, follow and draw a series of measurements from a ConAir service or a datastream of Cosm.",
        discussion: """
            --source, or the variable CONAIR_SOURCE, is the URL of a ConAir service, or cosm:FEED/DATASTREAM with \
            server and key in the variables COSM_BASE_URL and COSM_API_KEY. Times are RFC 3339: 2012-12-11T20:28:00Z. \
            With --cache, points are stored in a file, and only missing points are requested.
            """,
        subcommands: [
            ConAirFetchCommand.self, ConAirPollCommand.self, ConAirPlotCommand.self, ConAirWatchCommand.self,
            ConAirServeCommand.self,
        ]
    )
}
