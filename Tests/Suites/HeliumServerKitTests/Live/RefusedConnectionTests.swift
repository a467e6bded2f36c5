import HeliumServer
import HeliumWebSocketFraming
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HeliumServerKit

@Suite("Live connections without a place", .timeLimit(.minutes(5)))
struct RefusedConnectionTests {
    /// A session that records its calls.
    private final class RecordingSession: LiveSession {
        let calls = Mutex<[String]>([])

        func opened(on client: LiveConnection) { calls.withLock { $0.append("opened") } }

        func received(_ bytes: [UInt8], on client: LiveConnection) { calls.withLock { $0.append("received") } }

        func broken(_ reason: String, on client: LiveConnection) { calls.withLock { $0.append("broken") } }

        func closed(_ client: LiveConnection) { calls.withLock { $0.append("closed") } }
    }

    /// Connects to a port and reads until the end.
    private static func read(_ port: Int) async throws -> [UInt8] {
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await client.executeThenClose { inbound, _ in
            var bytes: [UInt8] = []
            for try await buffer in inbound { bytes += buffer.readableBytesView }
            return bytes
        }
    }

    @Test(
        "a connection that has lost its place gets the reason, and its session, which could take over a stream, is not opened"
    )
    func refused() async throws {
        let live = LiveServer(
            maxima: LiveMaxima(
                connections: 4,
                unauthenticatedConnections: 4,
                queueBytes: 1_000_000,
                objectBytes: 1_000
            ),
            port: nil,
            acceptsBinary: false,
            limits: ServerLimits(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let session = RecordingSession()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                // The channel is not registered, like one that has left the registry before its handlers were added.
                channel.eventLoop.makeCompletedFuture { try live.setUp(channel, session, isAuthenticated: true) }
            }
        let port = try #require(listener.channel.localAddress?.port)
        async let answer = Self.read(port)
        try await listener.executeThenClose { inbound in
            for try await client in inbound {
                await live.serve(client)
                break
            }
        }
        let reason = Array("there are too many connections".utf8)
        #expect(try await answer == [0x88, UInt8(reason.count + 2), 0x03, 0xF5] + reason)
        #expect(session.calls.withLock { $0 } == [])
    }
}
