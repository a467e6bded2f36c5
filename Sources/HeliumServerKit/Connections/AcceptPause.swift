internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Stops accepting connections for a moment when the process has no descriptor left.
///
/// SwiftNIO's own `AcceptBackoffHandler` delays the next read, but the listening socket stays registered: a connection
/// that cannot be accepted wakes the event loop again and again, which takes a whole core.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let pause: TimeAmount
    private var isPaused = false

    /// - Parameter pause: how long no connection is accepted
    init(pause: TimeAmount = .milliseconds(100)) { self.pause = pause }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard !isPaused, let error = error as? IOError, Self.isExhaustion(error.errnoCode) else { return }
        isPaused = true
        let channel = context.channel
        // Turning reads off is what takes the socket from the event loop's poll.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        let box = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: pause) {
            box.value.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    /// Whether the system had nothing left to accept a connection with.
    private static func isExhaustion(_ code: CInt) -> Bool {
        code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
    }
}
