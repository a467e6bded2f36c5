internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumCurl
public import HeliumKit

/// App.net, or pnut.io, as one token sees it: where every call begins.
///
/// ```swift
/// let client = try AppNetClient(configuration: AppNetConfiguration(token: token, dialect: .pnut))
/// for try await message in client.messages.list(in: "12") {
///     print(message.text ?? "")
/// }
/// ```
///
/// A client is safe to share between tasks, and keeps its connections until ``close()`` or until nobody has it any
/// more. For several accounts make several clients. All calls throw ``AppNetError``, or `CancellationError` once their
/// task is cancelled.
public final class AppNetClient: Sendable {
    /// What the client was made with.
    public let settings: AppNetConfiguration

    /// The client beneath: for calls that this type doesn't have.
    public let helium: Helium

    /// What every call asks for (§1.8).
    public let parameters: GeneralParameters

    /// The time limit of each call, where it is another than the client's.
    let callLimit: Duration?

    /// Clock, chance and transport, as they are used.
    package let environment: ClientEnvironment

    /// What answers told besides their values.
    let observed: AnswerNotes

    /// A client. No I/O happens here.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration``, naming what can't be used.
    public init(configuration: AppNetConfiguration) throws(AppNetError) {
        let dialect = configuration.dialect
        let baseURL = try dialect.address(configuration.baseURL, or: dialect.baseURL, "baseURL")
        var options = configuration.options
        var environment = configuration.environment
        // One transport, for the service and for where it keeps files.
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
        observed = AnswerNotes()
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
    /// The same client, each of whose calls takes no longer than that, attempts and pauses included.
    public func limited(to limit: Duration) -> AppNetClient {
        AppNetClient(self, parameters: parameters, callLimit: limit)
    }

    /// The same client, whose calls ask for this too; where both say something, this counts.
    public func with(_ parameters: GeneralParameters) -> AppNetClient {
        AppNetClient(self, parameters: self.parameters.merging(parameters), callLimit: callLimit)
    }

    /// Which service it is.
    public var dialect: AppNetDialect { settings.dialect }

    /// Ends calls under way and closes the connections. Later calls fail.
    public func close() async { await helium.close() }

    /// The texts that no error may show.
    func secrets(with others: [Secret] = []) -> [String] {
        ([settings.token].compactMap(\.self) + others).map(\.value)
    }
}

// MARK: What answers told

extension AppNetClient {
    /// The rate limit that the last answer with one told of (§1.7); `nil` before.
    public var rateLimit: RateLimit? { observed.value.rateLimit }

    /// The scopes of the token, by the last answer that told them (§1.2); `nil` before.
    public var grantedScopes: [AuthScope]? { observed.value.grantedScopes }

    /// The migrations that were active for the last answer that told them (§1.5); `nil` before.
    public var enabledMigrations: [String]? { observed.value.enabledMigrations }
}

extension AppNetConfiguration {
    /// The fields that every request carries.
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        if isPretty { fields[dialect == .appNet ? .prettyJSON : .pnutPrettyJSON] = "1" }
        if dialect == .appNet, !migrations.isEmpty { fields[.migrationOverrides] = Migrations.overrides(migrations) }
        return fields
    }
}

extension AppNetClient: CustomStringConvertible, CustomReflectable {
    /// Service and address; not the token.
    public var description: String { "AppNetClient(\(dialect.rawValue), \(helium))" }

    /// Service and address; not the token.
    public var customMirror: Mirror { Mirror(self, children: ["client": description]) }
}
