public import Foundation
internal import HeliumConcurrency
internal import HeliumCore
public import HeliumJSON
public import HeliumWebSocket
internal import Synchronization

/// A client of a Jetstream server. It has one session, which survives reconnects and in which scopes are fetched.
///
/// ```swift
/// let client = try JetstreamClient(url: url)
/// client.connect()
/// let scope = client.mirror("Canvas")
/// while let event = try await scope.next() { print(event) }
/// await client.close()
/// ```
///
/// The client reconnects whenever the connection breaks, and resumes its session without losing or duplicating
/// messages. If the server has ended the session, the client creates another with the same parameters and fetches the
/// same scopes (Docs/Protocols/Jetstream.md §1.7).
public final class JetstreamClient: Sendable {
    private struct Lifecycle {
        var hasRun = false
        var run: Task<Void, Never>?
    }

    let core: ClientCore
    private let transport: any JetstreamTransport
    let options: JetstreamClientOptions
    private let currentStatus = CurrentValue(ConnectionState.idle)
    private let lifecycle = Guarded(Lifecycle())

    /// Creates a client over WebSocket. It does not connect yet.
    ///
    /// - Parameters:
    ///   - url: The server's URL: `ws` or `wss`.
    ///   - connectionParameters: Parameters for the server's application, sent as header fields with each socket.
    ///   - options: The parameters of the session, the store, and the timeouts.
    /// - Throws: ``JetstreamError`` of kind `invalidConfiguration`.
    public convenience init(
        url: URL,
        connectionParameters: [(name: String, value: String)] = [],
        options: JetstreamClientOptions = JetstreamClientOptions()
    ) throws(JetstreamError) {
        let transport = try WebSocketTransport(url: url, parameters: connectionParameters, options: options.webSocket)
        self.init(transport: transport, options: options)
    }

    /// Creates a client over a transport. It does not connect yet.
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
        core.sessionEvents.finish()
    }
}

// MARK: News

extension JetstreamClient {
    /// The state of the connection.
    ///
    /// After ``close()``, and after a permanent failure, it is `ConnectionState.closed(reason:)`.
    public var status: ConnectionState { currentStatus.value }

    /// The current state of the connection and all later ones, for one listener.
    public var statuses: AsyncStream<ConnectionState> { currentStatus.stream }

    /// The events of the session from now on, for one listener. A listener that is more than 1,024 events behind loses the
    /// oldest.
    public var sessionEvents: AsyncStream<SessionEvent> { core.sessionEvents.stream() }
}

// MARK: Scopes

extension JetstreamClient {
    /// Fetches a scope as plain values, without model classes. The first event is its state.
    ///
    /// A scope has one fetch at a time: a second fetch fails with `invalidScope` while the result of the first is held.
    ///
    /// - Parameters:
    ///   - name: The scope's name.
    ///   - parameters: Parameters for the server's application. Default: empty.
    public func mirror(_ name: String, parameters: JSONObject = [:]) -> MirroredScope {
        MirroredScope(link: core.fetch(name, parameters: parameters))
    }
}

// MARK: Running

extension JetstreamClient {
    /// Connects and maintains the connection in a task of the client until ``close()``. Later calls have no effect.
    public func connect() {
        lifecycle.withLock { lifecycle in
            guard !lifecycle.hasRun else { return }
            lifecycle.hasRun = true
            let keeper = keeper
            lifecycle.run = Task { await keeper.run() }
        }
    }

    /// Connects and maintains the connection until the calling task is cancelled, the client is closed, or a permanent
    /// failure occurs.
    ///
    /// Call either this or ``connect()``, once.
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

    /// Closes the connection. All pending work is settled with `clientClosed`; change sets that were sent are settled
    /// as possibly applied.
    public func close() async {
        core.handle(.close)
        let run = lifecycle.withLock { lifecycle in
            lifecycle.hasRun = true
            return lifecycle.run
        }
        await run?.value
        if run == nil { currentStatus.finish(.closed(reason: nil)) }
        core.sessionEvents.finish()
    }

    private var keeper: ConnectionKeeper {
        ConnectionKeeper(core: core, transport: transport, options: options, status: currentStatus)
    }
}

extension JetstreamClient: CustomStringConvertible, CustomReflectable {
    /// The state of the connection, without the token.
    public var description: String { "JetstreamClient(\(status))" }

    /// An empty mirror, because the client holds credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
