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

    /// Returns the base URL in the environment, even if an option replaces it; `nil` if there is none.
    private func environmentBase() throws -> URL? {
        try CommandContext.current.variable("APPNET_BASE_URL").map { try WebURL($0).url(for: "APPNET_BASE_URL") }
    }

    /// Returns the addresses of a command.
    ///
    /// - Parameter other: The address that is used beside the base URL; `nil` if there is none, or if it is the dialect's
    ///   own.
    func addresses(_ other: ServiceAddresses.Address? = nil) throws -> ServiceAddresses {
        let home = try environmentBase()
        let isNamed = baseUrl != nil || home != nil
        let source = baseUrl != nil ? "--base-url" : isNamed ? "APPNET_BASE_URL" : "the public service of --dialect"
        let base = ServiceAddresses.Address(url: try resolvedBaseURL(), source: source, isOption: baseUrl != nil)
        let own = [dialect.baseURL, dialect.userStreamURL, dialect.signInBaseURL, dialect.tokenBaseURL]
        // Without a base URL they decide whether a token belongs to the public service, so they must be valid.
        let others = AppNetAddressVariable.all
        return ServiceAddresses(
            used: [base] + (other.map { [$0] } ?? []),
            environmentBase: home,
            environmentOthers: isNamed ? others.compactMap(\.url) : try others.compactMap { try $0.validURL() },
            publicService: isNamed ? [] : own.compactMap(\.self)
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

/// A variable with an address of the service beside its base URL.
struct AppNetAddressVariable {
    /// The user stream.
    static let stream = Self(name: "APPNET_STREAM_URL", schemes: ["ws", "wss", "http", "https"])
    /// The pages and calls of a sign-in.
    static let oauth = Self(name: "APPNET_OAUTH_URL", schemes: ["http", "https"])
    static let all = [stream, oauth]

    let name: String
    let schemes: [String]

    /// The address; `nil` if it is not set. A command that does not use it does not depend on its validity, if
    /// the base URL is named.
    var url: URL? { try? validURL() }

    /// Returns the address; `nil` if it is not set.
    ///
    /// - Throws: `ValidationError` if it is invalid.
    func validURL() throws -> URL? {
        try CommandContext.current.variable(name).map { text in
            // A WebSocket has schemes that other requests do not have.
            try schemes.contains("ws") ? LiveURL(text).url(for: name, schemes: schemes) : WebURL(text).url(for: name)
        }
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
        let text: OutputText = error is CancellationError ? "interrupted" : "\(error)"
        Console.current.note("helium: \(text)")
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
    func perform(stream: ServiceAddresses.Address? = nil, _ work: (AppNetClient) async throws -> Void) async throws {
        try connection.apply()
        let client = try await makeClient(stream)
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
    func show(_ value: some Encodable, table: () -> OutputText) throws {
        try Console.current.print(isJSON ? AppNetTables.json(value) : table())
    }

    private func makeClient(_ stream: ServiceAddresses.Address?) async throws -> AppNetClient {
        let baseURL = try resolvedBaseURL()
        var configuration = AppNetConfiguration(
            token: try await token(for: addresses(stream), baseURL).releasedToAll(),
            dialect: dialect,
            baseURL: baseURL,
            userStreamURL: stream?.url
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

    private func token(for addresses: ServiceAddresses, _ baseURL: URL) async throws -> BoundSecret {
        func bound(_ text: String, _ source: BoundSecret.Source) throws -> BoundSecret {
            try BoundSecret(Secret(CredentialText.checked(text, from: source.name)), from: source, for: addresses)
        }
        if let token, !token.isEmpty { return try bound(token, .command("--token")) }
        if let token = CommandContext.current.variable("APPNET_TOKEN") {
            return try bound(token, .variable("APPNET_TOKEN"))
        }
        do {
            if let token = try await LoginStore(service: baseURL)?.token() {
                return try BoundSecret(token, from: .command("the token of the login"), for: addresses)
            }
        } catch {
            throw AppNetOptions.report(error)
        }
        throw ValidationError("no token: log in, set APPNET_TOKEN, or give --token")
    }
}
