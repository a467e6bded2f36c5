internal import NIOCore

/// Raw TCP (§14.1): objects are found in what comes, and each is sent as one line.
final class TCPLiveHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = LiveEvent
    typealias OutboundIn = LiveOutput
    typealias OutboundOut = ByteBuffer

    private var splitter: ObjectSplitter

    init(maximumObjectBytes: Int) { splitter = ObjectSplitter(maximum: maximumObjectBytes) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for event in splitter.take(unwrapInboundIn(data).readableBytesView) {
            switch event {
            case .object(let bytes): context.fireChannelRead(wrapInboundOut(.object(bytes)))
            case .tooLong: context.fireChannelRead(wrapInboundOut(.broken("Bad Request: the object is too long")))
            case .unreadable:
                context.fireChannelRead(wrapInboundOut(.broken("Syntax Error: this is not a JSON object")))
            }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .object(let bytes):
            var buffer = context.channel.allocator.buffer(capacity: bytes.count + 1)
            buffer.writeBytes(bytes)
            buffer.writeInteger(UInt8(ascii: "\n"))
            context.write(wrapOutboundOut(buffer), promise: promise)
        case .goodbye:
            context.close(promise: promise)
        }
    }
}
