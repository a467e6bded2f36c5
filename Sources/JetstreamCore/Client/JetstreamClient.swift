public import Foundation
internal import HeliumConcurrency
internal import HeliumCore
public import HeliumJSON
public import HeliumWebSocket
internal import Synchronization

/// A client of a Jetstream server: one session, kept over any number of sockets, in which scopes are fetched.
///
/// ```swift
/// let client = try JetstreamClient(url: url)
/// client.connect()
/// let scope = client.mirror("Canvas")
/// while let event = try await scope.next() { print(event) }
/// await client.close()
/// ```
///
/// The client connects again whenever the connection breaks, and resumes its session; nothing is lost or doubled. When the
/// server has ended the session, the client creates another with the same parameters and fetches the same scopes
/// (Docs/Protocols/Jetstream.md §1.7).
public final class JetstreamClient: Sendable {
    private struct Lifecycle {
        var hasRun = false
        var run: Task<Void, Never>?
    }

    let core: ClientCore
    private let transport: any JetstreamTransport
    private let options: JetstreamClientOptions
    private let currentStatus = CurrentValue(ConnectionState.idle)
    private let lifecycle = Guarded(Lifecycle())

    /// A client over WebSocket, which is not connected yet.
    ///
    /// - Parameters:
    ///   - url: The server's URL: `ws` or `wss`.
    ///   - connectionParameters: Parameters for the server's application, sent as header fields with each socket.
    ///   - options: The session's parameters, the store, the time limits.
    /// - Throws: ``JetstreamError`` of kind `invalidConfiguration`.
    public convenience init(
        url: URL,
        connectionParameters: [(name: String, value: String)] = [],
        options: JetstreamClientOptions = JetstreamClientOptions()
    ) throws(JetstreamError) {
        let transport = try WebSocketTransport(url: url, parameters: connectionParameters, options: options.webSocket)
        self.init(transport: transport, options: options)
    }

    /// A client over a transport, which is not connected yet.
    public init(transport: any JetstreamTransport, options: JetstreamClientOptions = JetstreamClientOptions()) {
        self.transport = transport
        self.options = options
        let machine = ConnectionMachine(
            parameters: options.sessionParameters,
            settings: options.settings,
            random: options.random
        )
        core = ClientCore(machine: machine, clock: options.clock)
    }

    deinit {
        core.handle(.close)
        core.news.finish()
    }
}

// MARK: News

extension JetstreamClient {
    /// The state of the connection. After ``close()``, and after a failure that no other attempt can change, it is
    /// `ConnectionState.closed(reason:)`.
    public var status: ConnectionState { currentStatus.value }

    /// The state of the connection and all that follow, for one listener.
    public var statuses: AsyncStream<ConnectionState> { currentStatus.stream }

    /// News of the session from now on, for one listener. A listener that is more than 1,024 behind misses the oldest.
    public var news: AsyncStream<SessionNews> { core.news.stream() }
}

// MARK: Scopes

extension JetstreamClient {
    /// Fetches a scope as plain values, without classes. The first event is its state.
    ///
    /// A scope is fetched once at a time: a second fetch fails with `invalidScope` while the first one's result is held.
    ///
    /// - Parameters:
    ///   - name: The scope's name.
    ///   - parameters: Parameters for the server's application. Default: none.
    public func mirror(_ name: String, parameters: JSONObject = [:]) -> MirroredScope {
        MirroredScope(link: core.fetch(name, parameters: parameters))
    }
}

// MARK: Running

extension JetstreamClient {
    /// Connects, and keeps the connection in a task of the client's own until ``close()``. Calling it again does nothing.
    public func connect() {
        lifecycle.withLock { lifecycle in
            guard !lifecycle.hasRun else { return }
            lifecycle.hasRun = true
            let keeper = keeper
            lifecycle.run = Task { await keeper.run() }
        }
    }

    /// Connects, and keeps the connection until the calling task is cancelled, the client is closed, or a failure comes that
    /// no other attempt can change. Call either this or ``connect()``, once.
    ///
    /// - Throws: ``JetstreamError``: `connectionDenied`, `sessionDenied`, `connectionFailed`, `storeFailed`;
    ///   `CancellationError`.
    public func run() async throws {
        let isFirst = lifecycle.withLock { lifecycle in
            defer { lifecycle.hasRun = true }
            return !lifecycle.hasRun
        }
        guard isFirst else { return }
        await keeper.run()
        try Task.checkCancellation()
        if let end = core.end, end.kind != .clientClosed { throw end }
    }

    /// Closes the connection. Everything that is pending is settled with `clientClosed`: change sets that were sent as possibly
    /// applied.
    public func close() async {
        core.handle(.close)
        let run = lifecycle.withLock { lifecycle in
            lifecycle.hasRun = true
            return lifecycle.run
        }
        await run?.value
        if run == nil { currentStatus.finish(.closed(reason: nil)) }
        core.news.finish()
    }

    private var keeper: ConnectionKeeper {
        ConnectionKeeper(core: core, transport: transport, options: options, status: currentStatus)
    }
}

extension JetstreamClient: CustomStringConvertible, CustomReflectable {
    /// The state of the connection; no token.
    public var description: String { "JetstreamClient(\(status))" }

    /// Nothing: the client holds credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
