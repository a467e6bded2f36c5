internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// The endpoint of a stream, which opens its connections (Docs/Protocols/AppNet.md §2.13, §2.14).
///
/// The scheme of the URL selects the transport: a WebSocket for `ws` and `wss`, an endless response for `http` and
/// `https`.
final class StreamEndpoint: Sendable {
    /// The URL of the stream. If it is `nil`, connecting fails.
    private let url: URL?
    private let client: AppNetClient
    private let options: StreamConnectionOptions
    /// The client of the stream's host, created once.
    private let helium = Guarded<Helium?>(nil)

    init(url: URL?, client: AppNetClient, options: StreamConnectionOptions) {
        self.url = url
        self.client = client
        self.options = options
    }

    var isWebSocket: Bool { ["ws", "wss"].contains(url?.scheme?.lowercased()) }

    var clock: any HeliumClock { client.settings.environment.clock }

    var random: RandomSource { client.settings.environment.random }

    /// Opens a connection.
    ///
    /// - Parameter query: The items to add to the URL's own query.
    /// - Throws: `HeliumError`, or `CancellationError` if the task is cancelled.
    func connect(_ query: [(name: String, value: String)]) async throws -> StreamConnection {
        do {
            return isWebSocket ? .socket(try await connectSocket(query)) : .answer(try await openAnswer(query))
        } catch let error as HeliumError {
            throw RateLimitInterceptor.addingRetryAfter(to: error)
        }
    }

    private func connectSocket(_ query: [(name: String, value: String)]) async throws -> WebSocket {
        guard let url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw invalidURL }
        components.appendQuery(query)
        guard let whole = components.url else { throw invalidURL }
        guard let transport = client.helium.curlTransport else {
            return try await WebSocket.connect(to: whole, options: socketOptions)
        }
        return try await WebSocket.connect(to: whole, options: socketOptions, on: transport)
    }

    /// The options of a WebSocket connection.
    var socketOptions: WebSocketOptions {
        var socket = WebSocketOptions()
        let configuration = client.settings
        if let token = configuration.token { socket.fields[.authorization] = "Bearer \(token.value)" }
        // A connection on the transport that the client has created has all of its TLS settings.
        if configuration.environment.transport != nil {
            socket.tls.certificateAuthorityFile = configuration.connection.certificateAuthorityFile
            socket.tls.certificateAuthorityDirectory = configuration.connection.certificateAuthorityDirectory
        }
        socket.clock = clock
        socket.random = random
        socket.timeouts.connect = options.connectTimeout
        socket.timeouts.silence = options.silenceLimit
        socket.timeouts.pingInterval = options.silenceLimit.map { $0 / 3 }
        socket.limits.frameBytes = options.frameBytes
        socket.limits.messageBytes = options.frameBytes
        socket.limits.messagesPerSecond = options.framesPerSecond
        socket.limits.bytesPerSecond = options.bytesPerSecond
        return socket
    }

    private func openAnswer(_ query: [(name: String, value: String)]) async throws -> HeliumStream {
        var components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        // The client escapes a plus sign, which is a space in the URL's own query.
        let own = components?.percentEncodedQuery?.replacing("+", with: "%20")
        components?.percentEncodedQuery = own
        var parameters = QueryParameters()
        for item in components?.queryItems ?? [] { parameters[item.name] = .single(item.value ?? "") }
        for (name, value) in query { parameters[name] = .single(value) }
        var timeouts = PhaseTimeouts()
        timeouts.connect = options.connectTimeout
        timeouts.firstByte = options.connectTimeout
        timeouts.idle = options.silenceLimit
        // Retrying is disabled, because the owner of the stream reconnects.
        return try await client(of: components).request(.get, "", returning: Data.self)
            .parameters(parameters).timeouts(timeouts).retry(.never).stream()
    }

    private func client(of components: URLComponents?) throws -> Helium {
        guard var components else { throw invalidURL }
        components.query = nil
        guard let base = components.url else { throw invalidURL }
        return try helium.withLock { helium in
            if let helium { return helium }
            let configuration = client.settings
            // On the client's own transport, so that its end is the stream's.
            let made =
                if let token = configuration.token {
                    try Helium(
                        baseURL: base,
                        authorizer: .bearer(token),
                        options: configuration.options,
                        environment: client.environment
                    )
                } else {
                    try Helium(
                        baseURL: base,
                        options: configuration.options,
                        environment: client.environment
                    )
                }
            helium = made
            return made
        }
    }

    // MARK: Failures

    private var invalidURL: HeliumError {
        let message = url == nil ? "the client has no userStreamURL" : "the stream's URL is invalid"
        return error(.invalidRequest, .notSent, message)
    }

    /// Returns an error of the stream.
    func error(_ kind: FailureKind, _ delivery: DeliveryState, _ message: String) -> HeliumError {
        let place = url.map { "\($0.scheme ?? "")://\($0.host() ?? "")\($0.port.map { ":\($0)" } ?? "")\($0.path())" }
        return HeliumError(
            kind,
            request: RequestSummary(method: .get, url: place ?? "(no URL)"),
            delivery: delivery,
            message: message
        )
    }

    /// Converts an error to the one that callers get. A cancellation is returned unchanged.
    func failure(_ error: any Error) -> any Error {
        (error as? HeliumError).map { AppNetError($0, call: nil, secrets: client.secrets()) } ?? error
    }
}

extension URLComponents {
    /// Appends items to the query, and leaves what it has unchanged. A plus sign is escaped, because services decode it as
    /// a space.
    mutating func appendQuery(_ items: [(name: String, value: String)]) {
        guard !items.isEmpty else { return }
        var added = URLComponents()
        added.queryItems = items.map { URLQueryItem(name: $0.name, value: $0.value) }
        let text = (added.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        percentEncodedQuery = percentEncodedQuery.map { $0.isEmpty ? text : "\($0)&\(text)" } ?? text
    }
}
