import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite("The server for bodies", .timeLimit(.minutes(5)))
struct BodyRouterTests {
    @Test("connections that arrive while the server for bodies stops are closed")
    func arrive() async throws {
        for _ in 0..<5 {
            let clients = try await BodyRouter.with(http2: false) { router in
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: try #require(router.url.port))
                let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                let connecting = (0..<40).map { _ in bootstrap.connect(to: address) }
                var clients: [any Channel] = []
                for client in connecting { clients.append(try await client.get()) }
                return clients
            }
            for client in clients { try await client.closeFuture.get() }
        }
    }
}
