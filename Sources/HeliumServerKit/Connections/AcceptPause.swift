internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Pauses accepting connections when the process has run out of file descriptors.
///
/// SwiftNIO's own `AcceptBackoffHandler` delays the next read, but the listening socket stays registered. A connection
/// that cannot be accepted then wakes the event loop repeatedly, which uses a full CPU core.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let pause: TimeAmount
    private var isPaused = false

    /// - Parameter pause: The time during which no connection is accepted.
    init(pause: TimeAmount = .milliseconds(100)) { self.pause = pause }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard !isPaused, let error = error as? IOError, Self.isExhaustion(error.errnoCode) else { return }
        isPaused = true
        let channel = context.channel
        // Turning automatic reads off removes the socket from the event loop's poll.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        let box = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: pause) {
            box.value.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    /// Returns whether the system had no resources to accept a connection.
    private static func isExhaustion(_ code: CInt) -> Bool {
        code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
    }
}
