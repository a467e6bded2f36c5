import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer

/// Requests of clients that send them in the moment in which they connect, and end their side of the connection at once.
@Suite("Requests that arrive with the connection", .timeLimit(.minutes(20)), .tags(.random))
struct EarlyRequestTests {
    /// The number of connections of each kind.
    private static let count = ProofLength.count(200, full: 10_000)

    @Test("the request of a client that ends its side at once gets its response")
    func requests() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            for _ in 0..<Self.count {
                let connection = try RawConnection(port: peer.port)
                try await connection.sendLast(Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host))
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("the objects of a live client that ends its side at once get their replies")
    func objects() async throws {
        try await withEmbeddedServer { running in
            let port = try #require(running.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) })
            for number in 0..<Self.count {
                let connection = try RawConnection(port: port)
                let object = #"{"method":"get","resource":"/feeds/1","token":"\#(number)"}"#
                try await connection.sendLast(Array(object.utf8))
                let reply = try await connection.line()
                #expect(reply.contains(#""token":"\#(number)""#), "\(reply)")
            }
        }
    }
}
