public import HeliumCore
public import HeliumCurl
public import HeliumEssentials

/// A client: one base URL, one identity, one pool of connections.
///
/// ```swift
/// let show = try await helium.get("/tvshows/:id", returning: TVShow.self).pathReplacements(["id": 42]).value()
/// ```
///
/// A client is cheap to share and safe to use from many tasks. Close it with ``close()``, or let ``withHelium(_:_:)`` do
/// it; a client that is dropped ends its thread and connections by itself once its last call is over.
public final class Helium: Sendable {
    let pipeline: Pipeline

    /// The device of a client of the middleware; `nil` for any other API.
    public let device: Device?

    /// A client of the middleware: registers its device when the first request needs it, signs every attempt.
    ///
    /// No I/O happens here.
    ///
    /// - Throws: `invalidConfiguration`, naming what can't be used.
    public init(_ configuration: HeliumConfiguration) throws(HeliumError) {
        let environment = configuration.environment
        let transport =
            environment.transport
            ?? CurlTransport(
                configuration.connection,
                onLongJob: configuration.options.observability.longJobReporter(baseURL: configuration.baseURL)
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

    /// A client of any other API.
    ///
    /// - Parameters:
    ///   - baseURL: Where requests go; its own path is kept in front of every request's.
    ///   - authorizer: Proves the caller's identity: `.none`, `.bearer("…")`, `.apiKey("…", field: "X-ApiKey")`, or
    ///     your own.
    ///   - options: Everything that has a default.
    ///   - connection: How connections are made and kept.
    ///   - environment: Clock, chance and transport.
    /// - Throws: `invalidConfiguration`, naming what can't be used.
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
            transport: environment.transport
                ?? CurlTransport(
                    connection,
                    onLongJob: options.observability.longJobReporter(baseURL: baseURL)
                ),
            authorizer: authorizer,
            clock: environment.clock,
            random: environment.random
        )
        device = nil
    }
}

// MARK: Life

extension Helium {
    /// Ends everything the client started: calls in flight, in pauses before a retry, and event streams that wait to connect
    /// again fail with `clientClosed`, connections are closed, its thread ends. Returns when that is done; later calls
    /// fail at once.
    public func close() async {
        await pipeline.close()
    }

    /// Lets no new call in, gives those under way time to end, streamed answers included, then closes.
    ///
    /// Cancelling the calling task ends the wait, not the closing.
    ///
    /// - Parameter limit: The longest wait.
    /// - Returns: Whether all calls had ended by then. Those that had not fail with `clientClosed`.
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

/// Makes a client of the middleware for the time of `body` and closes it afterwards, also when `body` throws.
///
/// - Throws: What making the client or `body` throws.
public func withHelium<Value: Sendable>(
    _ configuration: HeliumConfiguration,
    _ body: (Helium) async throws -> Value
) async throws -> Value {
    try await Helium(configuration).closing(after: body)
}

/// Makes a client of any other API for the time of `body` and closes it afterwards, also when `body` throws.
///
/// - Throws: What making the client or `body` throws.
public func withHelium<Value: Sendable>(
    baseURL: URL,
    authorizer: some Authorizer = .none,
    options: ClientOptions = ClientOptions(),
    _ body: (Helium) async throws -> Value
) async throws -> Value {
    try await Helium(baseURL: baseURL, authorizer: authorizer, options: options).closing(after: body)
}

extension Helium: CustomStringConvertible, CustomReflectable {
    /// Where the client's requests go.
    public var description: String { "Helium(\(pipeline.origin))" }
    /// Where the client's requests go.
    public var customMirror: Mirror { Mirror(self, children: ["origin": pipeline.origin.description]) }
}
