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
    ///   - limit: The time limit for all of it.
    ///   - transport: The transport on whose loop the connection lives.
    ///   - makeHandler: Makes the first user of the channel, which tells the attempt about the outcome.
    /// - Throws: `HeliumError`; `CancellationError`.
    func dial(
        limit: Duration?,
        on transport: CurlTransport,
        makeHandler: @escaping @Sendable (DialAttempt) -> any ChannelHandler
    ) async throws {
        let attempt = DialAttempt()
        do {
            try await Deadline(after: limit, clock: clock).race {
                try await withTaskCancellationHandler {
                    do throws(TransportFailure) {
                        attempt.adopt(try transport.open(target, handler: makeHandler(attempt)))
                    } catch {
                        throw failures.failure(connecting: error)
                    }
                    try await attempt.outcome.value()
                } onCancel: {
                    attempt.abandon()
                }
            }
        } catch {
            attempt.abandon()
            if error is DeadlineExceeded, let limit { throw failures.timeout(.connect, attempt.delivery, after: limit) }
            try Task.checkCancellation()
            throw error
        }
    }
}

/// One attempt to connect: its channel, the delivery state of its request, and its outcome.
final class DialAttempt: Sendable {
    private struct State {
        var channel: ByteChannel?
        var isAbandoned = false
        var delivery = DeliveryState.notSent
    }

    private let state = Guarded(State())
    /// Settled when the connection may be used, or has failed.
    let outcome = Signal<Void>()

    /// The delivery state, which shows whether the server may have seen the request.
    var delivery: DeliveryState { state.withLock(\.delivery) }

    /// Records that the request is sent. Call it before the request is passed to the network.
    func requestLeaves() { state.withLock { $0.delivery = .maybeSent } }

    func succeed() { outcome.settle(.success(())) }

    func fail(_ error: any Error) { outcome.settle(.failure(error)) }

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
