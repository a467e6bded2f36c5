import AppNet
import ArgumentParser
import Foundation

/// Options with a service and its URL.
///
/// Types repeat the options instead of nesting groups. In debug builds, each level of groups multiplies the time of the
/// argument parser by four, because it validates a group while it validates the group around it.
protocol AppNetService: ParsableArguments {
    var dialectArgument: DialectArgument { get }
    var baseUrl: WebURL? { get }
    var connection: ConnectionOptions { get }
}

extension ArgumentHelp {
    /// The help of `--dialect`.
    static var appNetDialect: Self { "The kind of service: appnet or pnut." }

    /// The help of `--base-url`.
    static var appNetBaseURL: Self {
        ArgumentHelp(
            "The API's base URL, including the version. Default: the variable APPNET_BASE_URL, or the public service for pnut.",
            valueName: "url"
        )
    }

    /// The help of `--token`.
    static var appNetToken: Self {
        ArgumentHelp("The token. Better: the variable APPNET_TOKEN, or a login.", valueName: "token")
    }

    /// The help of `--format`.
    static var appNetFormat: Self { "text: tables and ids; json: complete documents, for programs." }
}

extension AppNetService {
    var dialect: AppNetDialect { dialectArgument.dialect }

    /// Returns the base URL of the API.
    func resolvedBaseURL() throws -> URL {
        if let baseUrl { return try baseUrl.url(for: "--base-url") }
        if let text = CommandContext.current.variable("APPNET_BASE_URL") {
            return try WebURL(text).url(for: "APPNET_BASE_URL")
        }
        if let url = dialect.baseURL { return url }
        throw ValidationError(
            "no base URL: set APPNET_BASE_URL, or give --base-url, for example http://127.0.0.1:8080/stream/0"
        )
    }

    /// Returns a URL with another path on the same host; `nil` for the dialect's own service.
    func sibling(_ path: String) throws -> URL? {
        let base = try resolvedBaseURL()
        guard base != dialect.baseURL, var components = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.path = path
        components.query = nil
        return components.url
    }

    /// The options of a client, with the timeout of the command line.
    var clientOptions: ClientOptions {
        var options = ClientOptions()
        options.timeouts.total = connection.timeout?.duration ?? .seconds(60)
        return options
    }
}

/// The service.
struct AppNetServiceOptions: AppNetService {
    @Option(name: .customLong("dialect"), help: .appNetDialect)
    var dialectArgument = DialectArgument(.appNet)

    @Option(help: .appNetBaseURL)
    var baseUrl: WebURL?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try baseUrl?.url(for: "--base-url") }
}

/// The service and the token.
struct AppNetOptions: AppNetAccess {
    @Option(name: .customLong("dialect"), help: .appNetDialect)
    var dialectArgument = DialectArgument(.appNet)

    @Option(help: .appNetBaseURL)
    var baseUrl: WebURL?

    @OptionGroup var connection: ConnectionOptions

    @Option(help: .appNetToken)
    var token: String?

    @Option(help: .appNetFormat)
    var format = OutputFormat.text

    func validate() throws { _ = try baseUrl?.url(for: "--base-url") }

    /// Reports an error on standard error and returns the exit code of the command: 64 for a usage error, otherwise 1.
    static func report(_ error: any Error) -> any Error {
        if error is ExitCode || error is ValidationError { return error }
        let text = error is CancellationError ? "interrupted" : String(describing: error)
        Console.current.note("helium: \(PrintableText.line(text))")
        let usage: [AppNetError.Kind] = [
            .invalidRequest, .invalidConfiguration, .unencodable, .unsupportedByDialect,
        ]
        return (error as? AppNetError).map { usage.contains($0.kind) } == true
            ? ExitCode.validationFailure : ExitCode(1)
    }
}

/// Options with a service and a token.
protocol AppNetAccess: AppNetService {
    var token: String? { get }
    var format: OutputFormat { get }
}

extension AppNetAccess {
    /// Runs `work` with a client and closes the client. An error is reported, and the command ends with its exit code.
    func perform(streamURL: URL? = nil, _ work: (AppNetClient) async throws -> Void) async throws {
        connection.apply()
        let client = try await makeClient(streamURL: streamURL)
        do {
            try await work(client)
            await client.close()
        } catch {
            await client.close()
            throw AppNetOptions.report(error)
        }
    }

    /// Runs `work` with a client that has no token and makes no requests.
    func performOffline(_ work: (AppNetClient) async throws -> Void) async throws {
        do {
            let nowhere = try WebURL("http://127.0.0.1").url(for: "--base-url")
            let configuration = AppNetConfiguration(
                dialect: dialect,
                baseURL: (try? resolvedBaseURL()) ?? nowhere
            )
            let client = try AppNetClient(configuration: configuration)
            try await work(client)
            await client.close()
        } catch {
            throw AppNetOptions.report(error)
        }
    }

    var isJSON: Bool { format == .json }

    /// Prints a value as JSON or as a table.
    func show(_ value: some Encodable, table: () -> String) throws {
        try Console.current.print(isJSON ? AppNetTables.json(value) : table())
    }

    private func makeClient(streamURL: URL?) async throws -> AppNetClient {
        let baseURL = try resolvedBaseURL()
        var configuration = AppNetConfiguration(
            token: Secret(try await resolvedToken(baseURL)),
            dialect: dialect,
            baseURL: baseURL,
            userStreamURL: streamURL
        )
        configuration.options = clientOptions
        configuration.connection = connection.connection
        configuration.environment = CommandContext.current.client
        do {
            return try AppNetClient(configuration: configuration)
        } catch {
            throw ValidationError(error.message)
        }
    }

    private func resolvedToken(_ baseURL: URL) async throws -> String {
        if let token, !token.isEmpty { return try CredentialText.checked(token, from: "--token") }
        if let token = CommandContext.current.variable("APPNET_TOKEN") {
            return try CredentialText.checked(token, from: "APPNET_TOKEN")
        }
        do {
            if let token = try await LoginStore(service: baseURL)?.token() { return token.value }
        } catch {
            throw AppNetOptions.report(error)
        }
        throw ValidationError("no token: log in, set APPNET_TOKEN, or give --token")
    }
}
