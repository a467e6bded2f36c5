import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("Watch over idle connections", .timeLimit(.minutes(5)))
struct ConnectionWatchTests {
    private static let patience = TimeAmount.seconds(60)

    private struct Connection {
        let channel = EmbeddedChannel()
        let watch: ConnectionWatch

        init() throws {
            watch = ConnectionWatch(channel: channel, patience: ConnectionWatchTests.patience)
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch.Handler(watch))
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            watch.start()
        }

        /// Passes bytes to the socket, where they wait until the next flush.
        func write(_ count: Int) { channel.write(ByteBuffer(repeating: 0, count: count), promise: nil) }

        func pass(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
    }

    @Test("a connection stays open as long as the socket accepts bytes of a response")
    func steadyReader() throws {
        let connection = try Connection()
        for _ in 0..<10 {
            connection.write(1000)
            connection.channel.flush()
            connection.pass(seconds: 30)
            #expect(connection.channel.isActive)
        }
        connection.pass(seconds: 90)
        #expect(!connection.channel.isActive)
    }

    @Test("a connection whose written bytes wait for the whole time is closed")
    func stalledReader() throws {
        let connection = try Connection()
        for _ in 0..<5 {
            connection.write(1000)
            connection.pass(seconds: 10)
        }
        #expect(connection.channel.isActive)
        connection.pass(seconds: 30)
        #expect(!connection.channel.isActive)
    }

    @Test("a connection stays open while the server works on a request, and the whole time after it")
    func request() throws {
        let connection = try Connection()
        connection.watch.requestBegan()
        connection.pass(seconds: 600)
        connection.watch.requestEnded()
        connection.pass(seconds: 50)
        #expect(connection.channel.isActive)
        connection.pass(seconds: 40)
        #expect(!connection.channel.isActive)
    }
}
