import Foundation
import HeliumCore
import HeliumCurl
import HeliumTesting
import TestSupport
import Testing

@Suite("Pool statistics", .timeLimit(.minutes(5)))
struct StatisticsConcurrencyTests {
    @Test("all is zero before the first request and after the end")
    func zero() async throws {
        let transport = CurlTransport()
        var statistics = await transport.statistics
        #expect(statistics.activeTransfers == 0 && statistics.connections.isEmpty)
        #expect(statistics.openedConnections == 0 && statistics.reusedConnections == 0)
        await transport.shutdown()
        statistics = await transport.statistics
        #expect(statistics.activeTransfers == 0 && statistics.connections.isEmpty)
    }

    @Test("busy, waiting and idle connections, opened and used again", arguments: drivers)
    func counts(driver: CurlTransport.Configuration.Driver) async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.send(whenOpen: gate, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 2 }) { transport in
                let request = try TransportRequest(to: server.url)
                let origin = request.url.origin
                let answers = (0..<3).map { _ in Task { try await transport.execute(request).text } }
                #expect(await server.wait { $0.requestCount == 2 })
                try await eventually { await transport.statistics.activeTransfers == 3 }
                var statistics = await transport.statistics
                #expect(statistics.waitingTransfers == 1)
                #expect(statistics.connections[origin]?.busy == 2 && statistics.connections[origin]?.idle == 0)
                #expect(statistics.openedConnections == 2 && statistics.reusedConnections == 0)
                for _ in 0..<3 { gate.open() }
                for answer in answers { #expect(try await answer.value == "ok") }
                statistics = await transport.statistics
                #expect(statistics.activeTransfers == 0 && statistics.waitingTransfers == 0)
                #expect(statistics.connections[origin]?.busy == 0 && statistics.connections[origin]?.idle == 2)
                #expect(statistics.openedConnections == 2 && statistics.reusedConnections == 1)
            }
        }
    }

    @Test("asking while the transport is shut down gets the statistics from before the end, or all zero")
    func race() async throws {
        for _ in 0..<50 {
            try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
                let transport = CurlTransport()
                _ = try await transport.execute(TransportRequest(to: server.url))
                async let asked = transport.statistics
                async let end: Void = transport.shutdown()
                let (statistics, _) = await (asked, end)
                #expect(statistics.openedConnections == statistics.connections.count)
                #expect([0, 1].contains(statistics.openedConnections) && statistics.activeTransfers == 0)
                let after = await transport.statistics
                #expect(after.openedConnections == 0 && after.connections.isEmpty)
            }
        }
    }
}
