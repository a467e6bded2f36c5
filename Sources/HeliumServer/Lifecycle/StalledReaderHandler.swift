internal import NIOCore

/// Closes a connection (over HTTP/2: a stream) whose client has stopped reading what the server writes.
///
/// Hummingbird's idle timeout does not run while an answer is being written, so that a client that never reads would
/// hold its connection for ever.
final class StalledReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let patience: TimeAmount
    private var timer: Scheduled<Void>?

    init(patience: TimeAmount) { self.patience = patience }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        if !context.channel.isWritable {
            let channel = context.channel
            timer = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
