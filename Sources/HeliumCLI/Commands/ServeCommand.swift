import ArgumentParser
import Foundation
import HeliumServer
import Logging

/// The `helium serve` command: runs the embedded server until a signal stops it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract:
            "Run the local server for the protocols of the middleware, Cosm, App.net, Jetstream and ConAir.",
        discussion: """
            When the server is ready, it prints one line of JSON on stdout with its addresses and the credentials for \
            tests. Logs are written to stderr. SIGHUP, SIGINT and SIGTERM stop the server.
            """
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for a free one.")
    var port = 8080

    @Option(
        help: ArgumentHelp("A SQLite file that stores everything, including keys. Default: memory.", valueName: "file")
    )
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            Check a file of --store instead of serving: prints the rows that cannot be read, by table and id, the scopes \
            of --jetstream-scope that it cannot serve, and damage of the file. Exits with 1 if there are any. The file is \
            not changed.
            """,
            valueName: "file"
        )
    )
    var check: String?

    @Option(help: "The port of Cosm's raw TCP socket; 0 for a free one.")
    var cosmTcpPort = 0

    @Option(
        help: """
            Whether Cosm's triggers may send to this machine and to local networks: on or off. Use on only if everyone \
            with a key may do so.
            """
    )
    var cosmLocalTriggers = Switch.off

    @Option(
        help: ArgumentHelp(
            """
            A JSON file with App.net's users and apps. Default: alice and bob, and one app, with documented passwords. \
            These defaults are also added to a --store that is opened without the file that it was created with.
            """,
            valueName: "file"
        )
    )
    var appnetUsers: String?

    @Option(
        help: ArgumentHelp(
            """
            An origin whose pages can read App.net's responses in a browser, such as http://localhost:3000, or * for \
            any. Repeatable. Default: none, so that a page in a browser cannot sign in with the documented passwords.
            """,
            valueName: "origin"
        )
    )
    var appnetAllowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A JSON file with the scopes of Jetstream; - for standard input. Default: one scope, Canvas, with a list of shapes.",
            valueName: "file"
        )
    )
    var jetstreamScope: String?

    @OptionGroup var share: ShareOptions

    @Option(help: "Whether ConAir's time series has the readings of a simulated sensor: on or off.")
    var conairSensor = Switch.on

    @Option(help: ArgumentHelp("A PEM file with the certificate chain; needs --tls-key.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("A PEM file with the certificate's key; needs --tls-cert.", valueName: "file"))
    var tlsKey: String?

    @Option(help: "The middleware's secret, 32 characters. Default: the public example.")
    var secret: String?

    @Option(help: "The secret's id, 32 characters. Default: the public example's.")
    var secretId: String?

    func validate() throws {
        for port in [port, cosmTcpPort] {
            guard 0...65535 ~= port else { throw ValidationError("a port must be 0 to 65535") }
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("give both --tls-cert and --tls-key, or neither")
        }
        let files = [
            ("--store", store), ("--appnet-users", appnetUsers), ("--tls-cert", tlsCert), ("--tls-key", tlsKey),
        ]
        for (name, path) in files { try FilePath.check(path, for: name) }
        for (name, value) in [("--secret", secret), ("--secret-id", secretId)] {
            if let value, value.utf8.count != 32 { throw ValidationError("\(name) must have 32 characters") }
        }
    }

    func run() async throws {
        do {
            guard let check else { return try await serve() }
            if try isFine(check) { return }
        } catch {
            throw FailureReport().show(error)
        }
        throw ExitCode.failure
    }

    /// Prints what is wrong with a store, and returns whether nothing is.
    private func isFine(_ store: String) throws -> Bool {
        let problems = try EmbeddedServer.problems(
            inStore: CommandContext.current.path(store),
            configuration: configuration()
        )
        for problem in problems { try Console.current.print(OutputText(line: problem)) }
        if problems.isEmpty { try Console.current.print("no problems found") }
        return problems.isEmpty
    }

    private func serve() async throws {
        let logger = Logger(label: "helium.server", factory: CommandContext.current.makeLogHandler)
        let configuration = try configuration()
        let server = try EmbeddedServer(configuration, logger: logger)
        let running = Task { try await server.run() }
        // The first signal lets requests in progress complete. A second signal stops the server at once.
        let graces = [configuration.limits.shutdown + .seconds(1), .zero]
        let signals = TerminationSignals(graces: graces) { running.cancel() }
        defer { signals.stop() }
        do {
            try Console.current.print(OutputText(json: await server.ready().jsonLine()))
        } catch {
            running.cancel()
            try await running.value
            throw error
        }
        try await running.value
    }

    private func configuration() throws -> EmbeddedServerConfiguration {
        let context = CommandContext.current
        var configuration = EmbeddedServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.limits.sharePerAddress = share.sharePerAddress
        configuration.store = store.map(context.path)
        configuration.appNet.allowedOrigins = Set(appnetAllowOrigin)
        configuration.cosm.tcpPort = cosmTcpPort
        configuration.cosm.allowsLocalTriggerTargets = cosmLocalTriggers == .on
        if let appnetUsers { configuration.appNet.accounts = try AppNetAccounts(contentsOf: context.path(appnetUsers)) }
        if let jetstreamScope { configuration.jetstream.scopes = try ScopeFile(contentsOf: jetstreamScope) }
        if conairSensor == .off { configuration.conAir.sensor = nil }
        if let tlsCert, let tlsKey {
            configuration.tls = TLSFiles(certificatePath: context.path(tlsCert), keyPath: context.path(tlsKey))
        }
        let example = MiddlewareSecret.publicExample
        if secret != nil || secretId != nil {
            let own = MiddlewareSecret(id: secretId ?? example.id, secret: secret ?? example.secret)
            configuration.middleware.secrets = [own]
        }
        return configuration
    }
}
