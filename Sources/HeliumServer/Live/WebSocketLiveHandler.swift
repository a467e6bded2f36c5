internal import NIOCore
internal import NIOWebSocket

/// WebSocket: one JSON object in each text message. Answers pings, asks silent clients whether they are still
/// there, and ends connections as RFC 6455 wants it.
final class WebSocketLiveHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = LiveEvent
    typealias OutboundIn = LiveOutput
    typealias OutboundOut = WebSocketFrame

    /// Whether a silent client was asked whether it is still there.
    private var isAsked = false
    private var isClosing = false
    /// What the last ping said that is not answered yet: of several the last is enough (RFC 6455, section 5.5.3), and a
    /// client that reads none of the answers makes none wait.
    private var ping: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAsked = false
        guard !isClosing else { return }
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            let bytes = Array(frame.unmaskedData.readableBytesView)
            guard String(validating: bytes, as: UTF8.self) != nil else {
                close(context, .dataInconsistentWithMessage)
                return
            }
            context.fireChannelRead(wrapInboundOut(.object(bytes)))
        case .ping:
            ping = frame.unmaskedData
            answerPing(context)
        case .connectionClose:
            var data = frame.unmaskedData
            close(context, data.readWebSocketErrorCode() ?? .normalClosure)
        case .pong:
            break
        default:
            close(context, .unacceptableData)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerPing(context)
        context.fireChannelWritabilityChanged()
    }

    private func answerPing(_ context: ChannelHandlerContext) {
        guard let data = ping, !isClosing, context.channel.isWritable else { return }
        ping = nil
        let pong = WebSocketFrame(fin: true, opcode: .pong, data: data)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .object(let bytes):
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: bytes))
            context.write(wrapOutboundOut(frame), promise: promise)
        case .goodbye:
            close(context, .goingAway)
            promise?.succeed()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case IdleStateHandler.IdleStateEvent.read? = event as? IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        if isAsked {
            context.close(promise: nil)
        } else {
            isAsked = true
            let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
            context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is UnmaskedFrame {
            close(context, .protocolError)
            return
        }
        guard let error = error as? NIOWebSocketFrameAggregator.Error else {
            context.fireErrorCaught(error)
            return
        }
        switch error {
        case .tooManyFragments, .accumulatedFrameSizeIsTooLarge: close(context, .messageTooLarge)
        default: close(context, .protocolError)
        }
    }

    /// Says goodbye and closes when that is sent.
    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        guard !isClosing else { return }
        isClosing = true
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        context.close(promise: nil)
    }
}

/// A frame of a client that is not masked.
private struct UnmaskedFrame: Error {}

/// Stands before frames are put together: clients must mask each one (RFC 6455, section 5.1).
final class WebSocketMaskRule: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if unwrapInboundIn(data).maskKey == nil {
            context.fireErrorCaught(UnmaskedFrame())
        } else {
            context.fireChannelRead(data)
        }
    }
}
