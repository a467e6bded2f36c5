public import Foundation
internal import HeliumConcurrency
public import HeliumCore
public import HeliumWebSocket
internal import Synchronization

/// The live socket of the service (§14): one connection for all subscriptions and requests of a key.
///
/// It connects when something is asked of it, connects again whenever the connection breaks, restores all subscriptions
/// then, and ends the connection a little after the last of them. Mostly `CosmAPI.subscribe(to:)` is all one
/// needs; an API's own socket is ``CosmAPI/socket``.
///
/// The key goes with each request (§14.1), never in the URL.
public final class CosmSocket: Sendable {
    /// Where the socket is.
    public let url: URL

    let options: CosmSocketOptions
    let address: SocketAddress
    let state = Guarded(SocketState())
    let currentState = CurrentValue(ConnectionState.idle)
    /// On raw TCP a request waits until the one before is answered (§14.1).
    let requestLock = AsyncLock()
    private let lifecycle = Guarded(Lifecycle())

    private struct Lifecycle {
        var run: Task<Void, Never>?
        var number = 0
        var farewell: Task<Void, Never>?
    }

    /// A socket; no connection is made yet.
    ///
    /// - Parameters:
    ///   - url: Where: `ws`, `wss`, or `http` and `https`, which mean the same; `tcp://host:port` for the raw form.
    ///   - apiKey: The key of all requests.
    ///   - options: How it is kept.
    public init(url: URL, apiKey: Secret?, options: CosmSocketOptions = CosmSocketOptions()) {
        self.url = url
        self.options = options
        address = SocketAddress(url: url, key: apiKey)
    }

    deinit { currentState.finish(.closed(reason: nil)) }

    /// What the connection does now. `ConnectionState.closed(reason:)` after a failure that no other attempt could change:
    /// all subscriptions have failed with it then, and a new one tries again.
    public var connectionState: ConnectionState { currentState.value }

    /// What the connection does now and from now on, until ``close()``.
    public var connectionStates: AsyncStream<ConnectionState> { currentState.stream }

    /// Ends all subscriptions and the connection. Later requests fail.
    public func close() async {
        let (registrations, connected, run) = state.withLock { state in
            state.isClosed = true
            defer {
                state.registrations = [:]
                state.connected = Signal()
            }
            let run = lifecycle.withLock { lifecycle in
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

    var clock: any HeliumClock { options.connection.clock }
}

// MARK: Life

extension CosmSocket {
    /// Somebody needs the connection: makes sure that it is kept.
    func start() {
        // Locks in the order of `close()`: nothing begins after it.
        state.withLock { state in
            guard !state.isClosed else { return }
            lifecycle.withLock { lifecycle in
                lifecycle.farewell?.cancel()
                lifecycle.farewell = nil
                guard lifecycle.run == nil else { return }
                lifecycle.number += 1
                let number = lifecycle.number
                lifecycle.run = Task { await self.run(number) }
            }
        }
    }

    /// Nobody may need it any more: lets it go after the grace.
    func stopIfIdle() {
        // Under both locks: who needs the connection after this look finds the farewell, and takes it away.
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
        // Locks in the order of `close()`: a request that begins now finds the connection kept, or begins another.
        let run = state.withLock { state in
            lifecycle.withLock { lifecycle -> Task<Void, Never>? in
                guard state.isIdle, lifecycle.farewell?.isCancelled == false else { return nil }
                lifecycle.farewell = nil
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
        ) { [address, options] in
            try await address.connect(options.connection)
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

    /// Ends everything after a failure that no other attempt could change.
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

    /// Ends a registration for its followers and waiters.
    func end(_ registration: SocketState.Registration, _ error: (any Error)?) {
        registration.settled.settle(.failure(error ?? CancellationError()))
        for follower in registration.followers.values { follower.ended(error) }
    }
}

extension CosmSocket: CustomStringConvertible, CustomReflectable {
    /// Where it is and what it does; not the key.
    public var description: String { "CosmSocket(\(url.host() ?? ""), \(connectionState))" }

    /// Nothing: it holds the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
