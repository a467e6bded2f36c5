internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import Synchronization

/// Opens connections, directly or through a proxy, in clear text or over TLS.
struct Dialer: Sendable {
    let target: ChannelTarget
    let failures: FailureMaker
    let clock: any HeliumClock

    /// Opens a connection. One that failed, took too long or is no longer needed is closed.
    ///
    /// - Parameters:
    ///   - attempt: The attempt, which has not begun.
    ///   - transport: The transport on whose loop the connection lives.
    ///   - handler: The first user of the channel, which reports the outcome to the attempt.
    /// - Throws: `HeliumError`; `CancellationError`.
    func dial(
        _ attempt: DialAttempt,
        limits: DialLimits,
        on transport: CurlTransport,
        handler: any ChannelHandler
    ) async throws {
        try Task.checkCancellation()
        var target = target
        target.connectLimit = limits.connect
        do throws(TransportFailure) {
            attempt.adopt(try transport.open(target, handler: handler))
        } catch {
            throw failures.failure(connecting: error)
        }
        switch limits {
        case .together(let limit):
            try await wait(for: attempt.outcome, of: attempt, limit: limit, in: .connect)
        case .each(let connect, let response):
            try await wait(for: attempt.departure, of: attempt, limit: connect, in: .connect)
            try await wait(for: attempt.outcome, of: attempt, limit: response, in: .firstByte)
        }
    }

    private func wait(
        for event: Signal<Void>,
        of attempt: DialAttempt,
        limit: Duration?,
        in phase: TransferPhase
    ) async throws {
        do {
            try await Deadline(after: limit, clock: clock).race { try await event.value() }
        } catch {
            attempt.abandon()
            if error is DeadlineExceeded, let limit { throw failures.timeout(phase, attempt.delivery, after: limit) }
            try Task.checkCancellation()
            throw error
        }
    }
}

/// The time limits of an attempt to connect. `nil` switches one off.
enum DialLimits: Sendable {
    /// One limit for the connection and the response together.
    case together(Duration?)
    /// A limit for the connection, and one for the response after it.
    case each(connect: Duration?, response: Duration?)

    /// The limit within which a connection must be there.
    var connect: Duration? {
        switch self {
        case .together(let limit), .each(connect: let limit, response: _): limit
        }
    }
}

/// One attempt to connect: its channel, the delivery state of its request, and its outcome.
final class DialAttempt: Sendable {
    private struct State {
        var channel: ByteChannel?
        var isAbandoned = false
        var delivery = DeliveryState.notSent
        var timings = TransferTimings()
        var refusal: ResponseHead?
    }

    private let state = Guarded(State())
    /// Settled when the request is about to be sent, or the attempt has ended.
    let departure = Signal<Void>()
    /// Settled when the connection may be used, or has failed.
    let outcome = Signal<Void>()

    /// The delivery state, which shows whether the server may have seen the request. It does not change after
    /// ``abandon()``, because then no request is sent.
    var delivery: DeliveryState { state.withLock(\.delivery) }

    /// The times of the connection's phases, once it is open.
    var timings: TransferTimings { state.withLock(\.timings) }

    /// Records that the request is sent. Call it before the request is passed to the network.
    ///
    /// - Returns: Whether the request may be sent: `false` if the attempt was abandoned.
    func requestLeaves(_ timings: TransferTimings) -> Bool {
        let mayLeave = state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.delivery = .maybeSent
            state.timings = timings
            return true
        }
        if mayLeave { departure.settle() }
        return mayLeave
    }

    /// The head of a response that rejects the request, also if its body is incomplete.
    var refusal: ResponseHead? { state.withLock(\.refusal) }

    /// Records that the head of a rejection has arrived.
    func refused(_ head: ResponseHead) { state.withLock { $0.refusal = head } }

    func succeed() { end(.success(())) }

    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        departure.settle(result)
        outcome.settle(result)
    }

    fileprivate func adopt(_ channel: ByteChannel) {
        let isAbandoned = state.withLock { state in
            state.channel = channel
            return state.isAbandoned
        }
        if isAbandoned { channel.signal(.end) }
    }

    fileprivate func abandon() {
        let channel = state.withLock { state in
            state.isAbandoned = true
            return state.channel
        }
        channel?.signal(.end)
    }
}
