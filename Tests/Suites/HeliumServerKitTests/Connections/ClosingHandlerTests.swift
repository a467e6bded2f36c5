import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("The close of a connection of a server that stops")
struct ClosingHandlerTests {
    @Test("bytes that were not flushed are sent before the connection closes")
    func flushes() throws {
        let channel = EmbeddedChannel(handler: ClosingHandler())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.write(ByteBuffer(bytes: [1]), promise: nil)
        channel.close(promise: nil)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(bytes: [1]))
    }

    /// A socket whose peer keeps its end open. A channel in memory would close at once.
    private final class OpenPeer: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
        }
    }

    @Test("a client that keeps its end open has half a second after the last response, and every close is completed")
    func waits() throws {
        let channel = EmbeddedChannel(handlers: [OpenPeer(), ClosingHandler()])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        let closes = [channel.close(), channel.close()]
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        for close in closes { try close.wait() }
        #expect(throws: ChannelError.alreadyClosed) { try channel.close().wait() }
    }

    @Test("a request after the last response is not read")
    func ignores() throws {
        let channel = EmbeddedChannel(handler: ClosingHandler())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try channel.writeInbound(ByteBuffer(bytes: [1]))
        channel.close(promise: nil)
        try channel.writeInbound(ByteBuffer(bytes: [2]))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(bytes: [1]))
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }

    @Test("a connection of a server that does not stop closes at once")
    func passesOn() throws {
        let channel = EmbeddedChannel(handler: ClosingHandler())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        channel.close(promise: nil)
        #expect(!channel.isActive)
    }
}
