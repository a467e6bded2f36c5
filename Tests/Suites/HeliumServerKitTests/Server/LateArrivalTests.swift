import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

/// Connections that the server accepts in the moment in which it stops.
///
/// A `NIOAsyncChannel` that a closing listener drops would trap (swift-nio issue 2813). The handlers of a connection are
/// therefore added when it is served.
@Suite("Connections that arrive while the server stops", .timeLimit(.minutes(20)), .tags(.random))
struct LateArrivalTests {
    enum Arrival: CaseIterable {
        case silent, request, webSocket, http2, tls, tcp
    }

    /// The number of servers for each kind.
    private static let count = ProofLength.count(4, full: 100)

    @Test("connections that arrive while the server stops are closed", arguments: Arrival.allCases)
    func arrive(_ arrival: Arrival) async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.limits.shutdown = .milliseconds(100)
            configuration.usesPriorKnowledgeHTTP2 = arrival == .http2
            if arrival == .tls { configuration.tls = certificates.server }
            for _ in 0..<Self.count {
                let connections = try await withEmbeddedServer(configuration) { running in
                    let peer = Peer(running: running)
                    let tcp = try #require(running.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) })
                    let connections = try (0..<40).map { _ in
                        try RawConnection(port: arrival == .tcp ? tcp : peer.port)
                    }
                    // The others are silent, and are still being accepted when the server begins to stop.
                    for connection in connections.prefix(10) { try await connection.send(Self.bytes(arrival, peer)) }
                    return connections
                }
                for connection in connections { _ = try await connection.readToEnd() }
            }
        }
    }

    /// The first bytes of a client.
    private static func bytes(_ arrival: Arrival, _ peer: Peer) -> [UInt8] {
        switch arrival {
        case .silent, .tls: []
        case .request: Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host)
        case .webSocket: Array(WebSocketClient.handshake("/").utf8)
        case .http2: HTTP2Frames.requests("GET", ["/", "/"], scheme: "http", authority: peer.host)
        case .tcp: Array(#"{"method":"get","resource":"/feeds/1","token":"1"}"#.utf8)
        }
    }
}
