import ArgumentParser
import Foundation
import HeliumServer
import Logging

/// The `helium jetstream serve` command: serves the scopes of a file until a signal stops it.
struct ServeJetstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Host the scopes of a file.",
        discussion: """
            When the server is ready, it prints one line of JSON on stdout: \
            {"jetstream":{"scopes":[…],"webSocket":"ws://…"}}. Logs are written to stderr. SIGHUP, SIGINT and SIGTERM stop the \
            server. With --store, scopes and sessions outlive the process, even if it is killed.
            """
    )

    @Option(help: ArgumentHelp("The JSON file with classes and scopes; - for standard input.", valueName: "file"))
    var scope: String

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for a free one.")
    var port = 3000

    @Option(help: ArgumentHelp("A SQLite file that stores scopes and sessions. Default: memory.", valueName: "file"))
    var store: String?

    @Option(help: "original: behave like the JavaScript server, including its bugs, for tests of clients.")
    var compat = JetstreamCompatibility.none

    @OptionGroup var share: ShareOptions

    func validate() throws {
        try FilePath.check(store, for: "--store")
        guard 0...65535 ~= port else { throw ValidationError("a port must be 0 to 65535") }
    }

    func run() async throws {
        do {
            try await serve()
        } catch {
            throw FailureReport().show(error)
        }
    }

    private func serve() async throws {
        var configuration = JetstreamServer.Configuration(scopes: try ScopeFile(contentsOf: scope))
        configuration.host = host
        configuration.port = port
        configuration.serverLimits.sharePerAddress = share.sharePerAddress
        configuration.store = store.map(CommandContext.current.path)
        configuration.jetstream.compatibility = compat == .original ? .original : .none
        let logger = Logger(label: "helium.jetstream", factory: CommandContext.current.makeLogHandler)
        let server = try JetstreamServer(configuration, logger: logger)
        let running = Task { try await server.run() }
        // Data that was sent can be received. A second signal stops the server at once.
        let graces = [configuration.serverLimits.shutdown + .seconds(1), .zero]
        let signals = TerminationSignals(graces: graces) { running.cancel() }
        defer { signals.stop() }
        do {
            try Console.current.print(OutputText(json: ReadyLine(jetstream: await server.ready()).text))
        } catch {
            running.cancel()
            try await running.value
            throw error
        }
        try await running.value
    }

    /// The line that is printed when the server is ready.
    private struct ReadyLine: Encodable {
        let jetstream: ReadyInformation.Jetstream

        var text: String {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            }
        }
    }
}

/// The value of `--compat`.
enum JetstreamCompatibility: String, ExpressibleByArgument, CaseIterable {
    case none
    case original
}

extension ScopeFile {
    /// Reads a scope file. Errors contain its path.
    init(contentsOf path: String) throws {
        let data = try InputFile(path: path).contents()
        do {
            try self.init(parsing: data)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}
