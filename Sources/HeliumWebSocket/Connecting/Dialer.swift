internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Opens connections, directly or through a proxy, in clear text or over TLS.
///
/// All connections of a process share NIO's own threads, which exist as long as the process.
struct Dialer: Sendable {
    let host: String
    let port: Int
    var route: ProxyRoute?
    /// The TLS settings; `nil` for clear text.
    var tls: TLSClient?
    let failures: FailureMaker
    let clock: any HeliumClock

    /// Opens a connection and prepares it. A connection that failed, took too long or is no longer needed is closed.
    ///
    /// - Parameters:
    ///   - limit: The time limit for all of it.
    ///   - prepare: Sets up the channel, on its event loop, and informs the attempt before a request is sent. The
    ///     connection is open when this has succeeded.
    /// - Throws: `HeliumError`; `CancellationError`.
    func dial(
        limit: Duration?,
        prepare: @escaping @Sendable (any Channel, DialAttempt) -> EventLoopFuture<Void>
    ) async throws {
        let attempt = DialAttempt()
        do {
            try await Deadline(after: limit, clock: clock).race {
                try await withTaskCancellationHandler {
                    try await open(attempt) { channel in prepare(channel, attempt) }.get()
                } onCancel: {
                    attempt.abandon()
                }
            }
        } catch {
            attempt.abandon()
            if error is DeadlineExceeded, let limit { throw failures.timeout(.connect, attempt.delivery, after: limit) }
            try Task.checkCancellation()
            throw failures.failure(from: error, attempt.delivery)
        }
    }

    /// Connects and prepares the channel.
    ///
    /// All of it belongs to one event loop, and begins there: the channel, the future of its connection, and what adds the
    /// handlers. So the handlers are added in the step in which the connection is established, before the channel is read.
    /// A callback that another thread adds to the future runs in a step of its own. If the connection is established
    /// before that, the peer's first bytes, or the failure of a handshake, arrive in between and find no handler.
    private func open(
        _ attempt: DialAttempt,
        prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return loop.flatSubmit { connect(on: loop, attempt, prepare: prepare) }
    }

    /// Connects and prepares the channel. Call it on the event loop.
    private func connect(
        on loop: any EventLoop,
        _ attempt: DialAttempt,
        prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        loop.preconditionInEventLoop()
        let bootstrap = ClientBootstrap(group: loop)
            // The deadline of ``dial(limit:prepare:)`` applies instead, so NIO's own timeout is a century.
            .connectTimeout(.hours(24 * 366 * 100))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            // The channel counts as writable once the system has accepted all data: see ``LinkHandler``.
            .channelOption(.writeBufferWaterMark, value: .init(low: 1, high: 1))
            .channelInitializer { channel in
                attempt.adopt(channel)
                    ? channel.eventLoop.makeSucceededVoidFuture()
                    : channel.eventLoop.makeFailedFuture(CancellationError())
            }
        return bootstrap.connect(host: route?.host ?? host, port: route?.port ?? port).flatMap { channel in
            channel.eventLoop.preconditionInEventLoop()
            if let route { return tunnel(channel, route).flatMap { prepare(channel) } }
            do { try secure(channel) } catch { return channel.eventLoop.makeFailedFuture(error) }
            return prepare(channel)
        }
    }

    /// Requests a connection to the host from a proxy (RFC 9110 §9.3.6).
    private func tunnel(_ channel: any Channel, _ route: ProxyRoute) -> EventLoopFuture<Void> {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var fields = HTTPFields()
        fields[.proxyAuthorization] = route.authorization?.value
        let request = HTTPRequestText(.connect, place, host: place, fields: fields)
        return HTTPExchange.run(request, on: channel) { answer in
            guard 200...299 ~= answer.head.status else { throw failures.refusal(by: "the proxy", answer) }
            try secure(channel)
        }
    }

    /// Adds the TLS handler. Runs on the channel's event loop.
    private func secure(_ channel: any Channel) throws {
        if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
    }
}

/// One attempt to connect: its channels, of which there are several if a name has several addresses, and the delivery
/// state of its request.
final class DialAttempt: Sendable {
    private struct State {
        /// The channels; `nil` if the connection is no longer needed.
        var channels: [any Channel]? = []
        var delivery = DeliveryState.notSent
    }

    private let state = Guarded(State())

    /// The delivery state, which shows whether the server may have seen the request.
    var delivery: DeliveryState { state.withLock(\.delivery) }

    /// Records that the request is sent. Call it before the request is passed to the network.
    func requestLeaves() { state.withLock { $0.delivery = .maybeSent } }

    /// Adds a channel.
    ///
    /// - Returns: `false` if the connection is no longer needed.
    fileprivate func adopt(_ channel: any Channel) -> Bool {
        state.withLock { state in
            state.channels?.append(channel)
            return state.channels != nil
        }
    }

    fileprivate func abandon() {
        let abandoned = state.withLock { state in
            defer { state.channels = nil }
            return state.channels ?? []
        }
        for channel in abandoned { channel.close(promise: nil) }
    }
}
