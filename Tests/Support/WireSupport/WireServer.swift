import HeliumConcurrency
import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization

/// A server of raw bytes for one test: each connection is served by a closure of the test's.
package final class WireServer: Sendable {
    /// The port on 127.0.0.1 that the server listens on.
    package let port: Int

    private let ended: AsyncStream<Void>
    private let acceptedCount = Guarded(0)

    /// The number of accepted connections.
    package var accepted: Int { acceptedCount.withLock(\.self) }

    private init(port: Int, ended: AsyncStream<Void>) {
        self.port = port
        self.ended = ended
    }

    /// Waits until so many connections more have ended. Only one test may wait at a time.
    package func waitForEnds(_ count: Int = 1) async {
        var left = count
        for await _ in ended {
            left -= 1
            if left == 0 { return }
        }
    }

    /// Runs `body` with a server, and ends both.
    ///
    /// - Parameters:
    ///   - tls: The server's side of TLS; `nil`: clear text.
    ///   - serve: Serves one connection, which ends with it. What it throws ends its connection only.
    ///   - body: The test.
    package static func run<Value: Sendable>(
        tls: NIOSSLContext? = nil,
        serve: @escaping @Sendable (WirePeer) async throws -> Void,
        _ body: (WireServer) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                // Made asynchronous when it is served: one that is dropped before would trap (swift-nio issue 2813).
                channel.setOption(.autoRead, value: false).map { channel }
            }
        let (ended, endedContinuation) = AsyncStream.makeStream(of: Void.self)
        let server = WireServer(port: listener.channel.localAddress?.port ?? 0, ended: ended)
        let accepting = Task {
            try await listener.executeThenClose { connections in
                await withDiscardingTaskGroup { group in
                    do {
                        for try await channel in connections {
                            server.acceptedCount.withLock { $0 += 1 }
                            group.addTask {
                                let connection = try? await prepare(channel, tls).get()
                                try? await connection?.executeThenClose { inbound, outbound in
                                    try await serve(
                                        WirePeer(channel: channel, inbound: inbound, outbound: outbound)
                                    )
                                }
                                endedContinuation.yield()
                            }
                        }
                    } catch {
                        // The listener was closed.
                    }
                    group.cancelAll()
                }
            }
        }
        do {
            let value = try await body(server)
            accepting.cancel()
            _ = await accepting.result
            return value
        } catch {
            accepting.cancel()
            _ = await accepting.result
            throw error
        }
    }
}

/// Adds the handlers of a connection that is about to be served, and begins to read it.
private func prepare(
    _ channel: any Channel,
    _ tls: NIOSSLContext?
) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> {
    channel.eventLoop.submit {
        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
        let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        try channel.syncOptions?.setOption(.autoRead, value: true)
        return connection
    }
}
