import HeliumCore
import HeliumTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumWebSocket

@Suite("Handler of a WebSocket connection")
struct LinkHandlerTests {
    /// Tells of being writable within each write, as a socket does of which the system takes everything at once.
    private final class EagerSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            context.write(data, promise: promise)
            context.fireChannelWritabilityChanged()
        }
    }

    @Test(
        "no queued message is sent after the close frame",
        arguments: [[0x88, 0x02, 0x03, 0xE8], [0xFF]]
    )
    func nothingAfterGoodbye(arriving: [UInt8]) throws {
        let options = WebSocketOptions()
        let link = MessageLink(
            limits: LinkState.Limits(options.limits),
            clock: TestClock(),
            failures: FailureMaker(url: "ws://a.test/", secrets: [])
        )
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(
            EagerSocket(),
            LinkHandler(link: link, codec: WebSocketCodec(options), closeLimit: nil)
        )
        // Waits: the loop has not run the flush yet.
        link.say(.ping)
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: arriving))
        channel.embeddedEventLoop.run()
        var opcodes: [UInt8] = []
        while let frame = try channel.readOutbound(as: ByteBuffer.self) {
            opcodes.append((frame.getInteger(at: frame.readerIndex) ?? 0) & 15)
        }
        #expect(opcodes == [8])
        #expect(link.liveness.stalledSince == nil)
    }
}
