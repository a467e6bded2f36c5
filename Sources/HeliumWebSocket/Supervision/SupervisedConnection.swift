package import HeliumConcurrency
public import HeliumCore
internal import Synchronization

/// A connection that is opened again when it ends.
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

    /// Uses a connection until it ends. Code at the beginning runs after each connect. Call `confirm` when the
    /// connection has proved to work. A confirmed connection that lasts twice the ceiling of the last delay resets the
    /// count of failures. One that is not confirmed must last `BackoffPolicy.maximumDelay`.
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

    /// Creates a supervised connection. ``run()`` opens it.
    ///
    /// - Parameters:
    ///   - policy: The delays between connections. Default: up to 0.5 seconds at first, up to 30 seconds later, without
    ///     a maximum number of failures.
    ///   - clock: The clock of the delays. Default: the system's.
    ///   - random: The source of random numbers for the jitter of delays. Default: the system's generator.
    ///   - isPassing: Returns whether another attempt may help after an error. Default: `true` if
    ///     `HeliumError.isTransient`, and after `FailureKind.ceilingExceeded`, because the data on the next connection
    ///     may be smaller; `false` for other errors.
    ///   - connect: Opens a connection.
    ///   - use: Uses a connection until it ends. When it returns normally, the connection has ended and another one is
    ///     opened.
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
    /// The current state.
    public var state: ConnectionState { currentState.value }

    /// The current state and all later ones, for one listener. The stream ends with
    /// ``ConnectionState/closed(reason:)``. A listener that is more than 64 states behind misses the oldest.
    public var states: AsyncStream<ConnectionState> { currentState.stream }

    /// Keeps the connection open until the calling task is cancelled or a failure occurs that no other attempt can
    /// change. Call it once.
    ///
    /// - Throws: `CancellationError`; the failure, which may be the last of too many in a row.
    public func run() async throws {
        do {
            try await keepConnected()
        } catch {
            currentState.finish(.closed(reason: error is CancellationError ? nil : error))
            throw error
        }
    }

    /// Runs and reports every state except the last, which the caller must report.
    ///
    /// - Returns: The reason of the end; `nil` for a normal end.
    package func run(reportingTo state: CurrentValue<ConnectionState>) async -> (any Error)? {
        // The listener is added before the run. The state until then has already been reported.
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
                throw reason ?? ReconnectionFailed(failures: backoff.failures)
            }
            currentState.send(.waiting(until: clock.wallTime + pause, reason: reason))
            try await clock.sleep(for: pause)
        }
    }

    /// Opens one connection and uses it until it ends.
    ///
    /// - Returns: The reason of its end; its duration, `nil` if none was opened; whether it was confirmed.
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

/// Records whether a connection has proved to work.
private final class Confirmation: Sendable {
    let isGiven = Atomic(false)
}

/// The error of a peer that normally ended one connection after another before any of them worked.
struct ReconnectionFailed: Error, CustomStringConvertible {
    let failures: Int
    var description: String { "the peer ended \(failures) connections in a row" }
}
