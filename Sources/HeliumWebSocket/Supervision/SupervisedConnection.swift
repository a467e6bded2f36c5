package import HeliumConcurrency
public import HeliumCore
internal import Synchronization

/// Keeps a connection: connects, lets it be used, and connects again when it is over.
///
/// ```swift
/// let live = SupervisedConnection {
///     try await WebSocket.connect(to: url)
/// } use: { socket, confirm in
///     try await socket.send(.text("subscribe"))  // after each connect
///     for try await message in socket.messages {
///         confirm()  // it works: if it lasts, the next wait is short again
///         handle(message)
///     }
/// }
/// try await live.run()  // until the task is cancelled
/// ```
public final class SupervisedConnection<Connection: Sendable>: Sendable {
    /// Opens a connection.
    public typealias Connect = @Sendable () async throws -> Connection

    /// Uses a connection until it is over: what stands at its beginning happens after each connect. It calls `confirm`
    /// when the connection proves to work. A confirmed connection that lasts twice the last wait's ceiling ends the row of
    /// failures; one that is not confirmed must last ``HeliumCore/BackoffPolicy/maximumDelay``.
    public typealias Use =
        @Sendable (_ connection: Connection, _ confirm: @escaping @Sendable () -> Void) async throws
        -> Void

    private let policy: BackoffPolicy
    private let clock: any HeliumClock
    private let random: RandomSource
    private let isPassing: @Sendable (any Error) -> Bool
    private let connect: Connect
    private let use: Use
    private let currentState = CurrentValue(ConnectionState.idle)

    /// A connection that is not open yet; ``run()`` opens it.
    ///
    /// - Parameters:
    ///   - policy: How long to wait between connections. Default: up to 0.5 seconds first, up to 30 in the end, for ever.
    ///   - clock: The clock of the waits. Default: the system's.
    ///   - random: The chance of the waits. Default: the system's generator.
    ///   - isPassing: Whether another attempt may help after an error. Default: yes if `HeliumError.isTransient`, and after
    ///     `FailureKind.ceilingExceeded`, because what arrives on the next connection may be smaller; no for other errors.
    ///   - connect: Opens a connection.
    ///   - use: Uses it until it is over. Its normal end is the connection's, and another follows.
    public init(
        policy: BackoffPolicy = BackoffPolicy(),
        clock: any HeliumClock = SystemClock(),
        random: RandomSource = .system,
        isPassing: @escaping @Sendable (any Error) -> Bool = { error in
            guard let error = error as? HeliumError else { return false }
            return error.isTransient || error.kind == .ceilingExceeded
        },
        connect: @escaping Connect,
        use: @escaping Use
    ) {
        self.policy = policy
        self.clock = clock
        self.random = random
        self.isPassing = isPassing
        self.connect = connect
        self.use = use
    }
}

extension SupervisedConnection {
    /// What it does now.
    public var state: ConnectionState { currentState.value }

    /// What it does now and from now on, for one listener; it ends with ``ConnectionState/closed(reason:)``. A listener
    /// that is more than 64 states behind misses the oldest.
    public var states: AsyncStream<ConnectionState> { currentState.stream }

    /// Keeps the connection until the calling task is cancelled or a failure comes that no other attempt can change.
    /// Call it once.
    ///
    /// - Throws: `CancellationError`; the failure, the last of too many in a row included.
    public func run() async throws {
        do {
            try await keepConnected()
        } catch {
            currentState.finish(.closed(reason: error is CancellationError ? nil : error))
            throw error
        }
    }

    /// Runs, and reports every state but the last, which is for the caller to report.
    ///
    /// - Returns: The reason of the end; `nil` for a normal end.
    package func run(reportingTo state: CurrentValue<ConnectionState>) async -> (any Error)? {
        // A listener before the run. The state until then has been reported already.
        let states = states.dropFirst()
        let reporting = Task {
            for await next in states {
                if case .closed = next { return }
                state.send(next)
            }
        }
        var failure: (any Error)?
        do { try await run() } catch { failure = error }
        await reporting.value
        return failure
    }

    private func keepConnected() async throws {
        var backoff = Backoff(policy)
        while true {
            try Task.checkCancellation()
            currentState.send(.connecting(attempt: backoff.failures + 1))
            let connection = try await useOnce()
            let reason = connection.reason
            if let time = connection.lasted { backoff.lasted(time, provedToWork: connection.isConfirmed) }
            let asked = (reason as? HeliumError)?.head.flatMap { ServerDelay.read(from: $0, now: clock.wallTime) }
            guard let pause = backoff.failed(random: random.unit(), asked: asked) else {
                throw reason ?? GaveUp(failures: backoff.failures)
            }
            currentState.send(.waiting(until: clock.wallTime + pause, reason: reason))
            try await clock.sleep(for: pause)
        }
    }

    /// One connection, from its opening to its end.
    ///
    /// - Returns: The reason of its end; how long it lasted, `nil` if none was opened; whether it was confirmed.
    private func useOnce() async throws -> (reason: (any Error)?, lasted: Duration?, isConfirmed: Bool) {
        let confirmation = Confirmation()
        var openedAt: Duration?
        var reason: (any Error)?
        do {
            let connection = try await connect()
            openedAt = clock.uptime
            currentState.send(.connected)
            try await use(connection) { confirmation.isGiven.store(true, ordering: .relaxed) }
        } catch {
            try Task.checkCancellation()
            guard isPassing(error) else { throw error }
            reason = error
        }
        return (
            reason, openedAt.map { clock.uptime - $0 }, confirmation.isGiven.load(ordering: .relaxed)
        )
    }
}

/// Whether a connection proved to work.
private final class Confirmation: Sendable {
    let isGiven = Atomic(false)
}

/// A peer ended one connection after another in order, without ever letting it work.
struct GaveUp: Error, CustomStringConvertible {
    let failures: Int
    var description: String { "the peer ended \(failures) connections in a row" }
}
