public import Foundation
internal import HeliumConcurrency
public import HeliumCore
internal import HeliumCurl
public import HeliumWebSocket
internal import Synchronization

/// The live socket of the service (Docs/Protocols/Cosm.md §14). All subscriptions and requests of a key share one
/// connection.
///
/// It connects when it is used, and reconnects and restores all subscriptions when the connection is lost. It closes
/// the connection shortly after the last subscription has ended. In most cases `CosmClient.subscribe(to:)` is sufficient.
/// The socket of an API is ``CosmClient/socket``.
///
/// The key is sent in each request (§14.1), never in the URL.
public final class CosmSocket: Sendable {
    /// The URL of the socket.
    public let url: URL

    let options: CosmSocketOptions
    let address: SocketAddress
    let state = Guarded(SocketState())
    let currentState = CurrentValue(ConnectionState.idle)
    let confirmedResources = Broadcast<String>(limit: 64)
    /// On raw TCP a request waits for the response to the previous one (Docs/Protocols/Cosm.md §14.1).
    let requestLock = AsyncLock()
    private let connect: @Sendable () async throws -> any TextConnection
    private let lifecycle = Guarded(Lifecycle())

    private struct Lifecycle {
        var run: Task<Void, Never>?
        var number = 0
        var farewell: Task<Void, Never>?
    }

    /// Creates a socket. It does not connect yet.
    ///
    /// - Parameters:
    ///   - url: The URL with the scheme `ws` or `wss`, or `http` or `https` with the same meanings. `tcp://host:port`
    ///     selects raw TCP.
    ///   - apiKey: The key of all requests.
    ///   - options: The options of the connection.
    public convenience init(url: URL, apiKey: Secret?, options: CosmSocketOptions = CosmSocketOptions()) {
        self.init(url: url, apiKey: apiKey, options: options, transport: CurlTransport.Configuration())
    }

    /// Creates a socket whose connections are those of a transport with this configuration.
    convenience init(
        url: URL,
        apiKey: Secret?,
        options: CosmSocketOptions,
        transport configuration: CurlTransport.Configuration
    ) {
        let address = SocketAddress(url: url, key: apiKey)
        self.init(address, options) {
            try await address.connect(options.connection, on: SharedTransport.get(configuration))
        }
    }

    /// Creates a socket whose connections a function opens.
    init(
        _ address: SocketAddress,
        _ options: CosmSocketOptions,
        connect: @escaping @Sendable () async throws -> any TextConnection
    ) {
        url = address.url
        self.options = options
        self.address = address
        self.connect = connect
    }

    deinit { currentState.finish(.closed(reason: nil)) }

    /// The state of the connection.
    ///
    /// It is `ConnectionState.closed(reason:)` after a failure that another attempt cannot resolve. All subscriptions
    /// have failed with that error then. A new subscription connects again.
    public var connectionState: ConnectionState { currentState.value }

    /// The current state of the connection and its changes until ``close()``.
    public var connectionStates: AsyncStream<ConnectionState> { currentState.stream }

    /// The paths of the resources whose subscription the server confirms from now on, also again after a lost connection,
    /// for one listener. A listener that is more than 64 behind misses the oldest.
    package var confirmations: AsyncStream<String> { confirmedResources.stream() }

    /// Ends all subscriptions and the connection. Later requests fail.
    public func close() async {
        let (registrations, connected, run) = state.withLock { state in
            state.isClosed = true
            defer {
                state.registrations = [:]
                state.connected = Signal()
            }
            let run = lifecycle.withLock { lifecycle in
                // Under the lock: the task sleeps, and the handler of a sleep waits only for the clock.
                lifecycle.farewell?.cancel()
                lifecycle.farewell = nil
                return lifecycle.run
            }
            return (Array(state.registrations.values), state.connected, run)
        }
        connected.settle(.failure(isClosed))
        for registration in registrations { end(registration, nil) }
        run?.cancel()
        await run?.value
        currentState.finish(.closed(reason: nil))
    }

    /// Whether ``close()`` was called.
    var isClosedByProgram: Bool { state.withLock { $0.isClosed } }

    var clock: any HeliumClock { options.connection.clock }
}

// MARK: Lifecycle

extension CosmSocket {
    /// Makes sure that a connection is running or being made.
    func start() {
        // The locks are taken in the same order as in `close()`, so that no run starts after it.
        state.withLock { state in
            guard !state.isClosed else { return }
            lifecycle.withLock { lifecycle in
                // Under the lock: the task sleeps, and the handler of a sleep waits only for the clock.
                lifecycle.farewell?.cancel()
                lifecycle.farewell = nil
                guard lifecycle.run == nil else { return }
                lifecycle.number += 1
                let number = lifecycle.number
                lifecycle.run = Task { await self.run(number) }
            }
        }
    }

    /// Closes the connection after the grace period if it is not needed.
    func stopIfIdle() {
        // Both locks are held, so that a caller that needs the connection later finds the scheduled close and cancels
        // it.
        state.withLock { state in
            guard state.isIdle, !state.isClosed else { return }
            lifecycle.withLock { lifecycle in
                guard lifecycle.run != nil, lifecycle.farewell == nil else { return }
                lifecycle.farewell = Task { [clock, options] in
                    do { try await clock.sleep(for: options.grace) } catch { return }
                    self.stopUnlessNeeded()
                }
            }
        }
    }

    private func stopUnlessNeeded() {
        // The locks are taken in the same order as in `close()`. A request that starts now keeps the connection or
        // starts a new one.
        let run = state.withLock { state in
            lifecycle.withLock { lifecycle -> Task<Void, Never>? in
                guard state.isIdle, lifecycle.farewell?.isCancelled == false else { return nil }
                lifecycle.farewell = nil
                // A request that arrives now uses the next connection.
                state.connection?.isEnding = true
                defer { lifecycle.run = nil }
                return lifecycle.run
            }
        }
        run?.cancel()
    }

    private func run(_ number: Int) async {
        let supervised = SupervisedConnection<any TextConnection>(
            policy: options.backoff,
            clock: clock,
            random: options.connection.random
        ) { [connect] in
            try await connect()
        } use: { [weak self] connection, confirm in
            try await self?.use(connection, confirm)
        }
        let failure = await supervised.run(reportingTo: currentState)
        let isCurrent = lifecycle.withLock { lifecycle in
            guard lifecycle.number == number else { return false }
            lifecycle.run = nil
            return true
        }
        guard isCurrent else { return }
        if failure is CancellationError || failure == nil {
            currentState.send(.idle)
        } else if let failure {
            currentState.send(.closed(reason: address.failure(failure)))
            failAll(address.failure(failure))
        }
    }

    /// Ends everything after a failure that another attempt cannot resolve.
    private func failAll(_ error: any Error) {
        let (registrations, connected) = state.withLock { state in
            defer {
                state.registrations = [:]
                state.connected = Signal()
            }
            return (Array(state.registrations.values), state.connected)
        }
        connected.settle(.failure(error))
        for registration in registrations { end(registration, error) }
    }

    /// Ends a registration for its followers and for callers that wait for it.
    func end(_ registration: SocketState.Registration, _ error: (any Error)?) {
        registration.settled.settle(.failure(error ?? CancellationError()))
        registration.left.settle()
        for follower in registration.followers.values { follower.ended(error) }
    }
}

extension CosmSocket: CustomStringConvertible, CustomReflectable {
    /// The host and the state of the connection, without the key.
    public var description: String { "CosmSocket(\(url.host() ?? ""), \(connectionState))" }

    /// An empty mirror, because the socket holds the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
