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

    @Test(
        "the request that a client sends with the end of the TLS handshake gets its response",
        arguments: [false, true]
    )
    func secureRequests(isHTTP2: Bool) async throws {
        try await ThrowawayCertificates.with { certificates in
            let server = try await HeldServer { $0.tls = certificates.server }
            for _ in 0..<ProofLength.count(30, full: 10_000) {
                try await SilentTLSClient(port: server.port, isHTTP2: isHTTP2).call()
            }
            server.stop()
            try await server.end()
        }
    }

    @Test("the requests that a client over HTTP/2 sends with its preface get their responses")
    func http2() async throws {
        let server = try await HeldServer { $0.usesPriorKnowledgeHTTP2 = true }
        let requests = HTTP2Frames.requests("GET", ["/", "/"], scheme: "http", authority: "x")
        for _ in 0..<Self.count {
            let connection = try RawConnection(port: server.port)
            try await connection.send(requests)
            var bytes: [UInt8] = []
            while !HTTP2Frames.areComplete([1, 3], in: bytes) { bytes += try await connection.readSome() }
        }
        server.stop()
        try await server.end()
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
