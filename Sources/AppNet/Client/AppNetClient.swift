internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumCurl
public import HeliumKit

/// A client of App.net or pnut.io for one token. Every call begins here.
///
/// ```swift
/// let client = try AppNetClient(configuration: AppNetConfiguration(token: token, dialect: .pnut))
/// for try await message in client.messages.list(in: "12") {
///     print(message.text ?? "")
/// }
/// ```
///
/// A client is safe to share between tasks. It keeps its connections until ``close()`` is called or the client is
/// deallocated. Use one client for each account. All calls throw ``AppNetError``, or `CancellationError` if their task
/// is cancelled.
public final class AppNetClient: Sendable {
    /// The configuration that the client was created with.
    public let settings: AppNetConfiguration

    /// The underlying HTTP client. Use it for calls that this type does not have.
    public let helium: Helium

    /// The general parameters of every call (Docs/Protocols/AppNet.md §1.8).
    public let parameters: GeneralParameters

    /// The time limit of each call; `nil` to use the limit of the underlying client.
    let callLimit: Duration?

    /// The clock, random source and transport in use.
    package let environment: ClientEnvironment

    /// The last values of the header fields of responses.
    let observed: ResponseFieldRecord

    /// Creates a client without performing I/O.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration``. Its message names the invalid
    ///   setting.
    public init(configuration: AppNetConfiguration) throws(AppNetError) {
        let dialect = configuration.dialect
        let baseURL = try dialect.address(configuration.baseURL, or: dialect.baseURL, "baseURL")
        var options = configuration.options
        var environment = configuration.environment
        // One transport serves both the API and the servers that keep files.
        environment.transport = environment.transport ?? CurlTransport(configuration.connection)
        let clock = environment.clock
        options.decoder = DialectDecoder(dialect: configuration.dialect, decoder: options.decoder)
        options.attemptInterceptors.append(
            RateLimitInterceptor(policy: options.retry, clock: clock, random: environment.random)
        )
        for field in configuration.fields { options.fields[field.name] = field.value }
        do throws(HeliumError) {
            if let token = configuration.token {
                helium = try Helium(
                    baseURL: baseURL,
                    authorizer: .bearer(token),
                    options: options,
                    environment: environment
                )
            } else {
                helium = try Helium(
                    baseURL: baseURL,
                    options: options,
                    environment: environment
                )
            }
        } catch {
            throw AppNetError(error, call: nil, secrets: configuration.token.map { [$0.value] } ?? [])
        }
        settings = configuration
        self.environment = environment
        parameters = configuration.parameters
        callLimit = nil
        observed = ResponseFieldRecord()
    }

    private init(_ other: AppNetClient, parameters: GeneralParameters, callLimit: Duration?) {
        settings = other.settings
        environment = other.environment
        helium = other.helium
        observed = other.observed
        self.parameters = parameters
        self.callLimit = callLimit
    }
}

extension AppNetClient {
    /// Returns a copy of the client that limits the duration of each call, including all attempts and delays.
    public func limited(to limit: Duration) -> AppNetClient {
        AppNetClient(self, parameters: parameters, callLimit: limit)
    }

    /// Returns a copy of the client with additional general parameters. They override those of this client.
    public func with(_ parameters: GeneralParameters) -> AppNetClient {
        AppNetClient(self, parameters: self.parameters.merging(parameters), callLimit: callLimit)
    }

    /// The service of the client.
    public var dialect: AppNetDialect { settings.dialect }

    /// Ends the calls in progress and closes the connections, also those of streams. Later calls fail.
    public func close() async { await helium.close() }

    /// Returns the texts that must not appear in errors.
    func secrets(with others: [Secret] = []) -> [String] {
        ([settings.token].compactMap(\.self) + others).map(\.value)
    }
}

// MARK: Values from response fields

extension AppNetClient {
    /// The rate limit of the last response that reported one (Docs/Protocols/AppNet.md §1.7); `nil` before the first.
    public var rateLimit: RateLimit? { observed.value.rateLimit }

    /// The token's scopes in the last response that reported them (Docs/Protocols/AppNet.md §1.2); `nil` before the
    /// first.
    public var grantedScopes: [AuthScope]? { observed.value.grantedScopes }

    /// The active migrations in the last response that reported them (Docs/Protocols/AppNet.md §1.5); `nil` before the
    /// first.
    public var enabledMigrations: [String]? { observed.value.enabledMigrations }
}

extension AppNetConfiguration {
    /// The fields that every request has.
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        if isPretty { fields[dialect == .appNet ? .prettyJSON : .pnutPrettyJSON] = "1" }
        if dialect == .appNet, !migrations.isEmpty { fields[.migrationOverrides] = Migrations.overrides(migrations) }
        return fields
    }
}

extension AppNetClient: CustomStringConvertible, CustomReflectable {
    /// The service and the base URL, without the token.
    public var description: String { "AppNetClient(\(dialect.rawValue), \(helium))" }

    /// The service and the base URL, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["client": description]) }
}
