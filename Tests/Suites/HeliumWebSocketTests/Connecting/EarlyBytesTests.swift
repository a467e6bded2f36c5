import Foundation
import HeliumCore
import HeliumServerTesting
import TestSupport
import Testing
import WireSupport

@testable import HeliumWebSocket

/// The bytes of a peer that sends them in the moment in which it accepts a connection, and ends it at once. None of them may
/// be lost, for any kind of connection and whatever makes it.
@Suite("Bytes that arrive with the connection", .timeLimit(.minutes(20)), .tags(.random))
struct EarlyBytesTests {
    /// The number of connections of each kind.
    private static let count = ProofLength.count(300, full: 10_000)

    @Test("the first objects over TCP of a peer that ends at once are not lost")
    func objects() async throws {
        try await AbruptPeer.run {
            Array("{\"n\":\($0)}{\"last\":true}".utf8)
        } _: { peer async throws in
            for number in 0..<Self.count {
                let connection = try await JSONObjectConnection.connect(
                    host: "127.0.0.1",
                    port: peer.port,
                    options: .quiet
                )
                #expect(try await connection.receiveText() == "{\"n\":\(number)}")
                #expect(try await connection.receiveText() == "{\"last\":true}")
                let end = try await failure { try await connection.receiveText() }
                #expect(end.kind == .connectionLost)
                await connection.end()
            }
        }
    }

    @Test("the refusal of a server that does not wait for the upgrade request is not lost")
    func refusals() async throws {
        let refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy"
        try await AbruptPeer.run { _ in
            Array(refusal.utf8)
        } _: { peer async throws in
            let url = try #require(URL(string: "ws://127.0.0.1:\(peer.port)/"))
            for _ in 0..<Self.count {
                let error = try await failure { try await WebSocket.connect(to: url, options: .quiet) }
                #expect(error.kind == .unacceptableStatus && error.status == 503, "\(error)")
            }
        }
    }

    @Test("the refusal of a proxy that does not wait for the request is not lost")
    func proxies() async throws {
        let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
        try await AbruptPeer.run { _ in
            Array(refusal.utf8)
        } _: { peer async throws in
            let url = try #require(URL(string: "ws://far.test/"))
            var options = WebSocketOptions.quiet
            options.proxy = .http(try #require(URL(string: "http://127.0.0.1:\(peer.port)")))
            for _ in 0..<Self.count {
                let error = try await failure { try await WebSocket.connect(to: url, options: options) }
                #expect(error.kind == .unacceptableStatus && error.status == 407, "\(error)")
            }
        }
    }

    @Test("the TLS alert of a server that refuses at once is not lost")
    func alerts() async throws {
        // A fatal alert of TLS 1.2: handshake_failure (RFC 5246 §7.2).
        try await AbruptPeer.run { _ in
            [21, 3, 3, 0, 2, 2, 40]
        } _: { peer async throws in
            try await ThrowawayCertificates.with { certificates in
                let url = try #require(URL(string: "wss://127.0.0.1:\(peer.port)/"))
                // Reading the machine's authorities would take a tenth of a second for each connection.
                var options = WebSocketOptions.quiet
                options.tls.certificateAuthorityFile = certificates.authorityPath
                for _ in 0..<Self.count {
                    let error = try await failure { try await WebSocket.connect(to: url, options: options) }
                    #expect(error.kind == .tlsFailed && error.delivery == .notSent, "\(error)")
                    // The end of the connection alone would be another cause.
                    let cause = error.message
                    // The name of alert 40 in the texts of OpenSSL's versions.
                    #expect(cause.lowercased().contains("alert handshake failure"), "\(cause)")
                }
            }
        }
    }
}
