import Foundation
import HeliumKit
import NIOCore
import NIOPosix
import Testing

/// Connections and requests that arrive while the server for bodies stops. Hummingbird drops them, which would trap.
@Suite("The server for bodies", .timeLimit(.minutes(5)))
struct BodyRouterTests {
    @Test("connections that arrive while the server for bodies stops are closed")
    func connections() async throws {
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

    @Test("requests that arrive over HTTP/2 while the server for bodies stops fail")
    func requests() async throws {
        for _ in 0..<3 {
            let load = try await BodyRouter.with(http2: true) { router in
                let (answers, continuation) = AsyncStream<Void>.makeStream()
                let load = Task {
                    try await router.withHelium { try await Self.send(to: $0) { continuation.yield() } }
                }
                for await _ in answers.prefix(50) {}
                return load
            }
            await #expect(throws: HeliumError.self) { try await load.value }
        }
    }

    /// Sends requests until one fails, 20 at a time.
    private static func send(to helium: Helium, onAnswer: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    while true {
                        try await helium.post("/echo", body: .text("abc")).value()
                        onAnswer()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
