public import Foundation
internal import HeliumConcurrency
public import HeliumCore
public import HeliumCurl
public import HeliumKit
internal import Synchronization

/// The Cosm API as one key sees it: where every call begins.
///
/// ```swift
/// let cosm = try CosmAPI(apiKey: key, baseURL: server)
/// let shed = try await cosm.feed(504)
/// ```
///
/// The key goes in the field `X-ApiKey`, never in a URL. An API is safe to share between tasks, and keeps its connections
/// until ``close()`` or until nobody has it any more. All calls throw ``CosmError``, or `CancellationError` once their task
/// is cancelled.
public final class CosmAPI: Sendable {
    /// Where requests go.
    public let baseURL: URL

    /// The URL of the live socket (Cosm.md §14); `nil` for an API without.
    public let socketURL: URL?

    /// The client beneath: for calls that this type doesn't have.
    public let helium: Helium

    /// The key; `nil` for an API without.
    package let apiKey: Secret?

    /// How connections are made, the live socket's too.
    package let connection: CurlTransport.Configuration

    /// Clock, chance and transport, the live socket's too.
    package let environment: ClientEnvironment

    /// The time limit of each call, where it is another than the client's.
    let callLimit: Duration?

    /// An API. No I/O happens here.
    ///
    /// - Parameters:
    ///   - apiKey: The key; `nil` sends none, which the server answers with 401.
    ///   - baseURL: The API's base URL, version included. There is no default: the original service is closed, and whoever owns
    ///     its domain must not be sent keys.
    ///   - socketURL: The URL of the live socket; needed for subscriptions. Default: `nil`.
    ///   - options: Everything of a client that has a default. A 403 that speaks of a rate limit counts as one (§2.5), unless
    ///     the options have a `ClientOptions.retryHint` of their own.
    ///   - connection: How connections are made and kept.
    ///   - environment: Clock, chance and transport.
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidConfiguration``, naming what can't be used.
    public init(
        apiKey: Secret?,
        baseURL: URL,
        socketURL: URL? = nil,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(CosmError) {
        var options = options
        if options.retryHint == nil { options.retryHint = RateLimit.hint }
        do throws(HeliumError) {
            if let apiKey {
                helium = try Helium(
                    baseURL: baseURL,
                    authorizer: .apiKey(apiKey, field: "X-ApiKey"),
                    options: options,
                    connection: connection,
                    environment: environment
                )
            } else {
                helium = try Helium(
                    baseURL: baseURL,
                    options: options,
                    connection: connection,
                    environment: environment
                )
            }
        } catch {
            throw CosmError(error, secrets: [])
        }
        self.baseURL = baseURL
        self.socketURL = socketURL
        self.connection = connection
        self.environment = environment
        self.apiKey = apiKey
        callLimit = nil
    }

    private init(_ other: CosmAPI, callLimit: Duration) {
        baseURL = other.baseURL
        socketURL = other.socketURL
        helium = other.helium
        apiKey = other.apiKey
        connection = other.connection
        environment = other.environment
        self.callLimit = callLimit
    }

    /// The same API, each of whose calls takes no longer than that, attempts and pauses included.
    ///
    /// ```swift
    /// let shed = try await cosm.limited(to: .seconds(5)).feed(504)
    /// ```
    public func limited(to limit: Duration) -> CosmAPI { CosmAPI(self, callLimit: limit) }

    /// Ends calls under way and closes the connections. Later calls fail.
    public func close() async { await helium.close() }
}

// MARK: The default

extension CosmAPI {
    private static let shared = DefaultAPI()

    /// The API that models and collections use unless they are given another.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/noDefaultAPI`` before ``setDefault(_:)``.
    public static var `default`: CosmAPI {
        get throws(CosmError) { try shared.get() }
    }

    /// Sets ``default``, once and early: nothing of what used it before would change with it.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/defaultAPIAlreadySet`` the second time; the first one stays.
    public static func setDefault(_ api: CosmAPI) throws(CosmError) { try shared.set(api) }
}

/// An API that can be set once.
final class DefaultAPI: Sendable {
    private let api = Guarded<CosmAPI?>(nil)

    func get() throws(CosmError) -> CosmAPI {
        guard let api = api.withLock({ $0 }) else {
            throw CosmError(.noDefaultAPI, "no default API is set: call CosmAPI.setDefault(_:) first")
        }
        return api
    }

    func set(_ new: CosmAPI) throws(CosmError) {
        let isSet = api.withLock { api in
            guard api == nil else { return false }
            api = new
            return true
        }
        if !isSet { throw CosmError(.defaultAPIAlreadySet, "a default API is set already") }
    }
}

extension CosmAPI: CustomStringConvertible, CustomReflectable {
    /// Where requests go; not the key.
    public var description: String { "CosmAPI(\(helium))" }

    /// Where requests go; not the key.
    public var customMirror: Mirror { Mirror(self, children: ["client": helium.description]) }
}
