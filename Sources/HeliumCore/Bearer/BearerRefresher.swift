internal import HTTPTypes
internal import HeliumEssentials
internal import Synchronization

/// Owns a bearer credential and runs at most one refresh at a time, whatever the concurrency.
///
/// The refresh in progress (a flight) belongs to no single call. Calls wait for it, each within its own time limit, and
/// share its outcome. A credential that is set from outside ends the flight, and the flight's result is discarded.
final class BearerRefresher: Sendable {
    typealias Refresh = RefreshingBearerAuthorizer.Refresh
    typealias Flight = SharedTask<HTTPField>

    /// The next step of a call.
    enum Next {
        case ready(HTTPField)
        case wait(Flight)
        case fail(HeliumError)
    }

    /// The flight was ended because a newer credential was set. The caller tries again.
    struct Superseded: Error {}

    private struct Shared {
        var state: BearerState
        var flight: Flight?
        /// A counter of flights and of their ends from outside. A flight's result is accepted only while its own number
        /// is current.
        var flightID = 0
        var lastFailure: HeliumError?
        /// Whether the authorizer itself was closed.
        var isClosed = false
        /// The number of clients that use the authorizer, and whether there has been one.
        var clients = 0
        var hadClients = false
        var clock: any HeliumClock
        var random: RandomSource
        /// Whether the clock and random numbers of the first client replace these.
        var adoptsClock: Bool
        var adoptsRandom: Bool

        /// Whether there may be refreshes. An authorizer without clients is used by hand, until it has had a client.
        var isOpen: Bool { !isClosed && (clients > 0 || !hadClients) }
    }

    private let refresh: Refresh?
    private let timeout: Duration
    private let shared: Guarded<Shared>

    init(
        _ state: BearerState,
        timeout: Duration,
        clock: (any HeliumClock)?,
        random: RandomSource?,
        refresh: Refresh?
    ) {
        self.refresh = refresh
        self.timeout = timeout
        shared = Guarded(
            Shared(
                state: state,
                clock: clock ?? SystemClock(),
                random: random ?? .system,
                adoptsClock: clock == nil,
                adoptsRandom: random == nil
            )
        )
    }

    /// Counts a client, and replaces the clock and the random numbers that were not set at creation, once.
    func adopt(clock: any HeliumClock, random: RandomSource) {
        shared.withLock { shared in
            shared.clients += 1
            shared.hadClients = true
            if shared.adoptsRandom { shared.random = random }
            if shared.adoptsClock {
                shared.clock = clock
                shared.state.clockChanged(wallTime: clock.wallTime, uptime: clock.uptime)
            }
            (shared.adoptsClock, shared.adoptsRandom) = (false, false)
        }
    }

    var credential: BearerCredential? { shared.withLock { $0.state.credential } }

    var secrets: [String] { shared.withLock { $0.state.recentSecrets } }

    /// The field for a request that does not have to wait; `nil` if there is none.
    var readyField: HTTPField? {
        shared.withLock { shared in
            switch shared.state.step(now: shared.clock.uptime) {
            case .use:
                return shared.state.field
            case .useAndRefresh:
                if shared.flight == nil, shared.isOpen { _ = takeOff(.expiring, &shared) }
                return shared.state.field
            case .refresh, .denied:
                return nil
            }
        }
    }

    /// Returns the field, the flight to wait for, or the error if there is neither.
    func next(within deadline: Deadline) -> Next {
        shared.withLock { shared in
            let now = shared.clock.uptime
            switch shared.state.step(now: now) {
            case .use, .useAndRefresh:
                guard let field = shared.state.field else { return .fail(Self.noCredential) }
                return .ready(field)
            case .denied:
                return .fail(shared.lastFailure ?? Self.noCredential)
            case .refresh(let reason):
                guard shared.isOpen else { return .fail(Self.closed) }
                // A call that cannot wait until the delay has passed fails at once with the actual error, and not later
                // with a timeout, whether or not a flight waits for the end of the delay already.
                if let notBefore = shared.state.notBefore, let failure = shared.lastFailure,
                    let remaining = deadline.remaining, notBefore - now > remaining
                {
                    return .fail(failure)
                }
                return .wait(shared.flight ?? takeOff(reason, &shared))
            }
        }
    }

    /// Records that the server rejected this field value and returns the next step.
    func reject(_ value: String) -> BearerState.Verdict { shared.withLock { $0.state.reject(value) } }

    func update(_ credential: BearerCredential) {
        let flight = shared.withLock { shared in
            shared.state.update(credential, wallTime: shared.clock.wallTime, uptime: shared.clock.uptime)
            shared.lastFailure = nil
            return Self.endFlight(&shared)
        }
        flight?.cancel()
    }

    func close() {
        let flight = shared.withLock { shared in
            shared.isClosed = true
            return Self.endFlight(&shared)
        }
        flight?.cancel()
    }

    func clientDidClose() {
        let flight = shared.withLock { shared -> Flight? in
            shared.clients = max(0, shared.clients - 1)
            return shared.isOpen ? nil : Self.endFlight(&shared)
        }
        flight?.cancel()
    }

    /// Ends the current flight. Its result is ignored from now on. The last failure stays known, because the delay
    /// after it, or its permanence, also applies to a client that takes the authorizer up again.
    private static func endFlight(_ shared: inout Shared) -> Flight? {
        defer { shared.flight = nil }
        shared.flightID += 1
        return shared.flight
    }
}

// MARK: The flight

extension BearerRefresher {
    /// Starts a flight. Must be called while the lock is held.
    private func takeOff(_ reason: BearerRefreshReason, _ shared: inout Shared) -> Flight {
        shared.flightID += 1
        let id = shared.flightID
        let request = BearerRefreshRequest(current: shared.state.credential, reason: reason)
        let pause = shared.state.pause(now: shared.clock.uptime)
        let flight = Flight { [self] in try await runFlight(request, pause: pause, id: id) }
        shared.flight = flight
        return flight
    }

    private func runFlight(_ request: BearerRefreshRequest, pause: Duration, id: Int) async throws -> HTTPField {
        let clock = shared.withLock { $0.clock }
        do {
            if pause > .zero { try await clock.sleep(for: pause) }
            guard let refresh else { throw Self.noCredential }
            // Ends at the time limit and on cancellation, even if the closure ignores both.
            let credential = try await Deadline(after: timeout, clock: clock).race { [self] in
                // Many services accept a refresh token once. A flight that was ended must not use up a newer one's.
                guard shared.withLock({ $0.flightID == id }) else { throw Superseded() }
                return try await refresh(request)
            }
            return try land(credential, id: id)
        } catch {
            throw crash(error, id: id)
        }
    }

    private func land(_ credential: BearerCredential, id: Int) throws -> HTTPField {
        let result: Result<HTTPField, any Error> = shared.withLock { shared in
            guard shared.flightID == id else { return .failure(Superseded()) }
            if let flaw = shared.state.flaw(in: credential) { return .failure(Self.failure(flaw)) }
            shared.state.refreshed(credential, wallTime: shared.clock.wallTime, uptime: shared.clock.uptime)
            shared.flight = nil
            shared.lastFailure = nil
            return shared.state.field.map { .success($0) } ?? .failure(Superseded())
        }
        return try result.get()
    }

    /// Returns one error for all waiting calls, or ``Superseded`` if the flight was ended from outside.
    private func crash(_ error: any Error, id: Int) -> any Error {
        let failure = Self.failure(error, timeout: timeout)
        return shared.withLock { shared -> any Error in
            guard shared.flightID == id else { return Superseded() }
            shared.flight = nil
            shared.lastFailure = failure
            shared.state.refreshFailed(
                isPermanent: error is BearerRefreshFailure,
                requestedDelay: (error as? HeliumError)?.requestedDelay(now: shared.clock.wallTime),
                uptime: shared.clock.uptime,
                random: shared.random
            )
            return failure
        }
    }
}

// MARK: Failures

extension BearerRefresher {
    private static func failure(_ error: any Error, timeout: Duration) -> HeliumError {
        switch error {
        case let error as HeliumError where error.kind == .authorizationFailed && error.underlying == nil:
            return error
        case let error as HeliumError:
            return failure("the token could not be refreshed: \(error.kind): \(error.message)", error)
        case let error as BearerRefreshFailure:
            return failure("the token could not be refreshed: \(error.message)", error)
        case is DeadlineExceeded:
            return failure("the token could not be refreshed within \(timeout.formattedSeconds)")
        default:
            // A custom error's text may contain secrets, so only its type is named.
            return failure("the token could not be refreshed: \(type(of: error))", error)
        }
    }

    private static func failure(_ message: String, _ underlying: (any Error)? = nil) -> HeliumError {
        HeliumError(
            .authorizationFailed,
            request: summary,
            delivery: .notSent,
            message: message,
            underlying: underlying
        )
    }

    private static var noCredential: HeliumError { failure("no token is set, and no refresh is configured") }

    private static var closed: HeliumError {
        HeliumError(.clientClosed, request: summary, delivery: .notSent, message: "the authorizer is closed")
    }

    /// A placeholder. Every call that fails with this error puts in its own request.
    private static var summary: RequestSummary { RequestSummary(method: .post, url: "(token refresh)") }
}
