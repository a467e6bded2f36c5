import ArgumentParser
import ConAir
import ConAirPage
import Foundation
import Logging

/// The `helium conair serve` command.
struct ConAirServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Poll the series and show it on a web page until a signal arrives.",
        discussion: """
            When the server is ready, it prints one line of JSON on stdout: {"page":"http://127.0.0.1:8081/"}. The \
            page shows the newest value, a chart, and the state of polling in words. It begins with the last 24 hours, \
            or with --start. Use it only on your own machine or in a network that you trust: there is no sign-in. Logs \
            and failed polls are written to stderr.
            """
    )

    @OptionGroup var options: SeriesOptions
    @OptionGroup var period: PeriodOptions
    @OptionGroup var page: PageOptions

    func run() async throws {
        let (window, period, page) = (options.window, period.duration, page)
        try await options.perform { series in
            let following = try await SeriesFollowing(series, window, period: period)
            let server = try page.server(of: following.store, zone: try window.zone)
            if !server.hasDygraphs {
                let folder = page.dygraphs
                Console.current.note(
                    "helium: no dygraphs in \(folder): the page shows a picture instead of an interactive chart"
                )
            }
            // Responses in progress can complete. A second signal stops the server at once.
            let graces = [PageOptions.shutdown + .seconds(5), .zero]
            try await SeriesFollowing.untilSignal(following.store, until: window.stop, graces: graces) {
                do {
                    try await Self.serve(server, following.store)
                } catch  where Task.isCancelled {
                    // A signal arrived before the server was ready.
                }
            }
        }
    }

    /// Serves until the task is cancelled or the server fails.
    private static func serve(_ server: SeriesPageServer, _ store: TimeSeriesStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try Console.current.print(OutputText(json: ReadyLine(page: await server.ready()).text))
                await SeriesFollowing.reportFailures(of: store)
            }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// The line that is printed when the page is available.
    private struct ReadyLine: Encodable {
        let page: URL

        var text: String {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            }
        }
    }
}

/// The address of a page and its labels.
struct PageOptions: ParsableArguments {
    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for a free one.")
    var port = 0

    @Option(
        help: ArgumentHelp("The folder with dygraph.min.js and dygraph.min.css.", valueName: "folder"),
        completion: .directory
    )
    var dygraphs = SeriesPageServer.Configuration.debianDygraphs

    @Option(help: "The title of the page.")
    var title: String?

    @Option(help: ArgumentHelp("The unit of the values, for example °C.", valueName: "text"))
    var unit: String?

    @OptionGroup var share: ShareOptions

    /// The time that requests in progress have to complete when the server stops.
    static let shutdown = Duration.seconds(1)

    func validate() throws {
        guard 0...65535 ~= port else { throw ValidationError("a port must be 0 to 65535") }
        if host.isEmpty { throw ValidationError("--host is empty: give an address, for example 127.0.0.1") }
        if dygraphs.isEmpty { throw ValidationError("--dygraphs is empty: give the path of a folder") }
    }

    /// Returns a server for the page of a store. It does not listen yet.
    func server(of store: TimeSeriesStore, zone: TimeZone) throws -> SeriesPageServer {
        var configuration = SeriesPageServer.Configuration()
        configuration.host = host
        configuration.port = port
        configuration.title = title ?? ""
        configuration.unit = unit ?? ""
        configuration.zone = zone
        configuration.dygraphs = CommandContext.current.path(dygraphs)
        configuration.serverLimits.shutdown = Self.shutdown
        configuration.serverLimits.sharePerAddress = share.sharePerAddress
        var logger = Logger(label: "helium.page", factory: CommandContext.current.makeLogHandler)
        logger.logLevel = .warning
        return try SeriesPageServer(store, configuration, logger: logger)
    }
}
