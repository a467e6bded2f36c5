internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Opens connections: directly or through a proxy, in clear text or over TLS.
///
/// All of a process's connections share NIO's own threads, which live as long as the process.
struct Dialer: Sendable {
    let host: String
    let port: Int
    var route: ProxyRoute?
    /// `nil`: no TLS.
    var tls: TLSClient?
    let failures: FailureMaker
    let clock: any HeliumClock

    /// Opens a connection and prepares it. A connection that failed, took too long or is not wanted any more is closed.
    ///
    /// - Parameters:
    ///   - limit: How long all of it may take.
    ///   - prepare: Sets the channel up, and tells the attempt before a request leaves; the connection is open when that has
    ///     succeeded.
    /// - Throws: `HeliumError`; `CancellationError`.
    func dial(
        limit: Duration?,
        prepare: @escaping @Sendable (any Channel, DialAttempt) -> EventLoopFuture<Void>
    ) async throws {
        let attempt = DialAttempt()
        do {
            try await Deadline(after: limit, clock: clock).race {
                try await withTaskCancellationHandler {
                    try await open(attempt).flatMap { channel in prepare(channel, attempt) }.get()
                } onCancel: {
                    attempt.abandon()
                }
            }
        } catch {
            attempt.abandon()
            if error is DeadlineExceeded, let limit { throw failures.timeout(.connect, attempt.delivery, after: limit) }
            try Task.checkCancellation()
            throw failures.failure(from: error)
        }
    }

    private func open(_ attempt: DialAttempt) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Our own deadline decides; a century is for ever.
            .connectTimeout(.hours(24 * 366 * 100))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            // Writable is a channel of which the system has taken everything: see LinkHandler.
            .channelOption(.writeBufferWaterMark, value: .init(low: 1, high: 1))
            .channelInitializer { channel in
                attempt.adopt(channel)
                    ? channel.eventLoop.makeSucceededVoidFuture()
                    : channel.eventLoop.makeFailedFuture(CancellationError())
            }
        guard let route else {
            return bootstrap.connect(host: host, port: port).flatMapThrowing { channel in
                try secure(channel)
                return channel
            }
        }
        return bootstrap.connect(host: route.host, port: route.port)
            .flatMap { channel in tunnel(channel, route).map { channel } }
    }

    /// Asks a proxy for a connection to the host (RFC 9110 section 9.3.6).
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

    /// Runs on the channel's event loop.
    private func secure(_ channel: any Channel) throws {
        if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
    }
}

/// One attempt to connect: its channels, which are several where a name has several addresses, and how far its request got.
final class DialAttempt: Sendable {
    private struct State {
        /// `nil`: nobody wants the connection any more.
        var channels: [any Channel]? = []
        var delivery = DeliveryState.notSent
    }

    private let state = Guarded(State())

    /// Whether the server may have seen the request.
    var delivery: DeliveryState { state.withLock(\.delivery) }

    /// To be called before the request is given to the network.
    func requestLeaves() { state.withLock { $0.delivery = .maybeSent } }

    /// - Returns: `false` if nobody wants the connection any more.
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
