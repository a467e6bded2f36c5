import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("Connections without a request while the server stops")
struct ConnectionStopTests {
    /// Remembers whether it was informed that the server stops.
    private final class StopRecord: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var count = 0

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { count += 1 }
        }
    }

    private let registry = ConnectionRegistry(limits: ServerLimits())
    private let record = StopRecord()

    /// Opens a connection, on which bytes may have arrived, and stops the server.
    private func stopped(afterReading bytes: [UInt8]) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try registry.opened(channel)
        try channel.pipeline.syncOperations.addHandler(record)
        if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
        registry.stop()
        channel.embeddedEventLoop.run()
        return channel
    }

    @Test("a silent connection closes at once")
    func silent() throws {
        #expect(try !stopped(afterReading: []).isActive)
    }

    @Test("a client that is sending its request has a moment for it")
    func sending() throws {
        let channel = try stopped(afterReading: [0x47])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(channel.isActive && record.count == 0)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a connection whose request arrives in this moment is served, and informed that the server stops")
    func arriving() throws {
        let channel = try stopped(afterReading: [0x47])
        registry.headArrived(on: channel)
        channel.embeddedEventLoop.run()
        #expect(record.count == 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(4999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a connection of HTTP/2 that is set up in this moment is informed that the server stops")
    func negotiating() throws {
        let channel = try stopped(afterReading: [0x16])
        registry.becameHTTP2(channel)
        channel.embeddedEventLoop.run()
        #expect(record.count == 1)
    }
}
