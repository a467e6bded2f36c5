import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer

@Suite("Load of a search on other protocols", .timeLimit(.minutes(5)))
struct SearchLoadTests {
    @Test("a search does not hold up another protocol")
    func otherProtocols() async throws {
        try await withTemporaryFolder { folder in
            for store in [nil, folder.appendingPathComponent("s.sqlite").path] {
                var configuration = EmbeddedServerConfiguration()
                configuration.store = store
                try await withEmbeddedServer(configuration) { running in
                    let appNet = running.appNet.state.store
                    let gate = DispatchSemaphore(value: 0)
                    let reads = (0..<20).map { _ in
                        Task { try await appNet.read { _ in gate.wait() } }
                    }
                    let peer = Peer(running: running)
                    let key = ("X-ApiKey", running.ready.cosm.key)
                    #expect(try await peer.send("GET", "/v2/feeds", fields: [key]).status == 200)
                    #expect(try await peer.send("GET", "/demo-auth/v1/services").status == 200)
                    for _ in reads { gate.signal() }
                    for read in reads { try await read.value }
                }
            }
        }
    }
}
