import HeliumServer
import HeliumServerTesting
import NIOCore
import NIOPosix
import ServerSupport
import TestSupport
import Testing

@Suite("Shares of the connections of a server", .timeLimit(.minutes(5)))
struct ConnectionShareTests {
    @Test(
        "idle connections of one address leave room for other addresses, and further ones of it are closed",
        arguments: [(nil, 3), (1, 1)] as [(Int?, Int)]
    )
    func share(perAddress: Int?, expected: Int) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.connections = 4
        configuration.limits.connectionsPerAddress = perAddress
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            var kept: [RawConnection] = []
            for _ in 0..<expected {
                let connection = try RawConnection(port: peer.port)
                try await connection.send(Peer.bytes("GET", "/nothing", host: peer.host))
                #expect(try await connection.answer().status == 404)
                kept.append(connection)
            }
            for _ in 0..<2 {
                let refused = try RawConnection(port: peer.port)
                #expect((try? await refused.readToEnd()) ?? [] == [])
            }
            try await eventually { running.server.connectionCount == expected }
            #if os(Linux)
                // Another address of the same interface.
                let other = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .bind(to: SocketAddress(ipAddress: "127.0.0.2", port: 0))
                    .connect(host: "127.0.0.1", port: peer.port).get()
                try await eventually { running.server.connectionCount == expected + 1 }
                #expect(other.isActive)
                try await other.close()
                try await eventually { running.server.connectionCount == expected }
            #endif
            kept.removeFirst()
            try await eventually { running.server.connectionCount == expected - 1 }
            #expect(try await peer.send("GET", "/nothing").status == 404)
        }
    }
}
