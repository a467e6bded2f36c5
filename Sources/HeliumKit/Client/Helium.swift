public import HeliumCore
public import HeliumCurl
public import HeliumEssentials

/// An HTTP client with one base URL, one authorizer and one connection pool.
///
/// ```swift
/// let show = try await helium.get("/tvshows/:id", returning: TVShow.self).pathReplacements(["id": 42]).value()
/// ```
///
/// A client is cheap to share and can be used by many tasks at the same time. Close it with ``close()``, or use
/// ``withHelium(_:_:)``. A client that is released ends its thread and connections by itself after its last call and its
/// last WebSocket.
public final class Helium: Sendable {
    package let pipeline: Pipeline

    /// The device of a client of the middleware; `nil` for any other API.
    public let device: Device?

    /// Creates a client of the middleware. It registers its device when the first request needs it and signs every
    /// attempt.
    ///
    /// It performs no I/O.
    ///
    /// - Throws: `invalidConfiguration`, naming the invalid value.
    public init(_ configuration: HeliumConfiguration) throws(HeliumError) {
        let environment = configuration.environment
        let transport = environment.makeTransport(
            configuration.connection,
            observability: configuration.options.observability,
            baseURL: configuration.baseURL
        )
        let authorizer = try MiddlewareAuthorizer(configuration, transport: transport)
        pipeline = try Pipeline(
            baseURL: configuration.baseURL,
            options: configuration.options.withMiddlewareVocabulary,
            transport: transport,
            authorizer: authorizer,
            clock: environment.clock,
            random: environment.random
        )
        device = Device(registrar: authorizer.registrar, clock: environment.clock)
    }

    /// Creates a client of any other API.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL. Its path is kept in front of every request's path.
    ///   - authorizer: Adds the caller's credentials: `.none`, `.bearer("…")`, `.apiKey("…", field: "X-ApiKey")`, or a
    ///     custom authorizer.
    ///   - options: The settings that have a default.
    ///   - connection: The configuration of connections.
    ///   - environment: The clock, the random source and the transport.
    /// - Throws: `invalidConfiguration`, naming the invalid value.
    public init(
        baseURL: URL,
        authorizer: some Authorizer = .none,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(HeliumError) {
        pipeline = try Pipeline(
            baseURL: baseURL,
            options: options.withMiddlewareVocabulary,
            transport: environment.makeTransport(connection, observability: options.observability, baseURL: baseURL),
            authorizer: authorizer,
            clock: environment.clock,
            random: environment.random
        )
        device = nil
    }
}

extension ClientEnvironment {
    /// The given transport, or a new one on libcurl that reports jobs which hold its loop.
    fileprivate func makeTransport(
        _ connection: CurlTransport.Configuration,
        observability: Observability,
        baseURL: URL
    ) -> any HTTPTransport {
        transport ?? CurlTransport(connection, onLongJob: observability.longJobReporter(baseURL: baseURL))
    }
}

// MARK: Closing

extension Helium {
    /// Ends everything that the client has started. Calls in flight or in a delay before a retry, and event streams
    /// that wait to connect again, fail with `clientClosed`, and so do WebSockets of the client. Connections are closed
    /// and the client's thread ends. Returns when all of that is done. Later calls fail at once.
    public func close() async {
        await pipeline.close()
    }

    /// Rejects new calls, waits for the running ones including streamed responses, and then closes. An open WebSocket is
    /// not waited for.
    ///
    /// Cancelling the calling task ends the wait, but the client is still closed.
    ///
    /// - Parameter limit: The longest wait.
    /// - Returns: Whether all calls had ended in time. Calls that had not fail with `clientClosed`.
    @discardableResult
    public func close(drainingFor limit: Duration) async -> Bool {
        pipeline.stopAdmitting()
        let isDrained = await pipeline.drained(within: limit)
        await close()
        return isDrained
    }

    func closing<Value: Sendable>(after body: (Helium) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(self)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}

/// Creates a client of the middleware, passes it to `body`, and closes it afterwards, even if `body` throws.
///
/// - Throws: Any error of the client's creation or of `body`.
public func withHelium<Value: Sendable>(
    _ configuration: HeliumConfiguration,
    _ body: (Helium) async throws -> Value
) async throws -> Value {
    try await Helium(configuration).closing(after: body)
}

/// Creates a client of any other API, passes it to `body`, and closes it afterwards, even if `body` throws.
///
/// - Throws: Any error of the client's creation or of `body`.
public func withHelium<Value: Sendable>(
    baseURL: URL,
    authorizer: some Authorizer = .none,
    options: ClientOptions = ClientOptions(),
    _ body: (Helium) async throws -> Value
) async throws -> Value {
    try await Helium(baseURL: baseURL, authorizer: authorizer, options: options).closing(after: body)
}

extension Helium: CustomStringConvertible, CustomReflectable {
    /// The origin of the client's requests.
    public var description: String { "Helium(\(pipeline.origin))" }
    /// The origin of the client's requests.
    public var customMirror: Mirror { Mirror(self, children: ["origin": pipeline.origin.description]) }
}
