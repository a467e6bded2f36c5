public import Foundation
internal import HeliumConcurrency
public import HeliumCore
public import HeliumCurl
public import HeliumKit
internal import Synchronization

/// A client of the Cosm API v2 that authenticates with one key.
///
/// ```swift
/// let cosm = try CosmClient(apiKey: key, baseURL: server)
/// let shed = try await cosm.feed(504)
/// ```
///
/// The key is sent in the field `X-ApiKey`, never in a URL. An API is safe to share between tasks. Its connections stay
/// open until ``close()`` is called or the API is deallocated. All calls throw ``CosmError``, or `CancellationError`
/// once their task is cancelled.
public final class CosmClient: Sendable {
    /// The base URL of requests.
    public let baseURL: URL

    /// The URL of the live socket (Docs/Protocols/Cosm.md §14); `nil` for an API without live updates.
    public let socketURL: URL?

    /// The HTTP client that sends the requests. Use it for calls that this type does not offer.
    public let helium: Helium

    /// The key; `nil` if requests are sent without one.
    package let apiKey: Secret?

    /// The connection settings of requests and of the live socket.
    package let connection: CurlTransport.Configuration

    /// The clock, the random source and the transport of requests and of the live socket.
    package let environment: ClientEnvironment

    /// The time limit of each call; `nil` for the limit of the client's options.
    let callLimit: Duration?

    /// Creates an API. It does no I/O.
    ///
    /// - Parameters:
    ///   - apiKey: The key; `nil` sends none, and the server responds with 401.
    ///   - baseURL: The base URL of the API, including the version. There is no default: the original service is
    ///     closed, and keys must not be sent to whoever owns its domain now.
    ///   - socketURL: The URL of the live socket. Subscriptions require it. Default: `nil`.
    ///   - options: The options of the client. A 403 whose body mentions a rate limit counts as rate limiting
    ///     (Docs/Protocols/Cosm.md §2.5), unless the options have a `ClientOptions.retryHint` of their own.
    ///   - connection: The connection settings.
    ///   - environment: The clock, the random source and the transport.
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidConfiguration``, whose message names the invalid
    ///   setting.
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

    private init(_ other: CosmClient, callLimit: Duration) {
        baseURL = other.baseURL
        socketURL = other.socketURL
        helium = other.helium
        apiKey = other.apiKey
        connection = other.connection
        environment = other.environment
        self.callLimit = callLimit
    }

    /// Returns the same API with a time limit for each call, including all attempts and the delays between them.
    ///
    /// ```swift
    /// let shed = try await cosm.limited(to: .seconds(5)).feed(504)
    /// ```
    public func limited(to limit: Duration) -> CosmClient { CosmClient(self, callLimit: limit) }

    /// Ends the calls that are under way and closes the connections. Later calls fail. The live socket, which other APIs
    /// may share, stays open.
    public func close() async { await helium.close() }
}

// MARK: The default

extension CosmClient {
    private static let shared = DefaultAPI()

    /// The API of models and collections that are not given another.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/noDefaultAPI`` if ``setDefault(_:)`` was not called before.
    public static var `default`: CosmClient {
        get throws(CosmError) { try shared.get() }
    }

    /// Sets ``default``. Call it once, before models and collections are made: it cannot be changed later.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/defaultAPIAlreadySet`` if it was called before. The first API
    ///   stays the default.
    public static func setDefault(_ api: CosmClient) throws(CosmError) { try shared.set(api) }
}

/// A holder of an API that can be set once.
final class DefaultAPI: Sendable {
    private let api = Guarded<CosmClient?>(nil)

    func get() throws(CosmError) -> CosmClient {
        guard let api = api.withLock({ $0 }) else {
            throw CosmError(.noDefaultAPI, "no default API is set: call CosmClient.setDefault(_:) first")
        }
        return api
    }

    func set(_ new: CosmClient) throws(CosmError) {
        let isSet = api.withLock { api in
            guard api == nil else { return false }
            api = new
            return true
        }
        if !isSet { throw CosmError(.defaultAPIAlreadySet, "a default API is already set") }
    }
}

extension CosmClient: CustomStringConvertible, CustomReflectable {
    /// The base URL of requests, without the key.
    public var description: String { "CosmClient(\(helium))" }

    /// The base URL of requests, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["client": helium.description]) }
}
