import Foundation
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Timeouts of transfers", .timeLimit(.minutes(5)))
struct TimeoutTests {
    private static let limit = Duration.milliseconds(150)

    /// A request in which only one phase has a limit.
    private func request(to url: String, _ phase: WritableKeyPath<PhaseTimeouts, Duration?>) throws -> TransportRequest
    {
        try TransportRequest(to: url).with {
            $0.timeouts = PhaseTimeouts()
            $0.timeouts.queue = nil
            $0.timeouts.connect = nil
            $0.timeouts.firstByte = nil
            $0.timeouts.idle = nil
            $0.timeouts.total = nil
            $0.timeouts[keyPath: phase] = Self.limit
        }
    }

    private func expectTimeout(
        _ phase: TransferPhase,
        _ delivery: DeliveryState,
        _ body: () async throws -> TransportFailure
    ) async throws {
        let start = ContinuousClock.now
        let failure = try await body()
        let elapsed = ContinuousClock.now - start
        #expect(failure.kind == .timedOut && failure.phase == phase && failure.delivery == delivery, "\(failure)")
        #expect(elapsed >= Self.limit && elapsed < .seconds(60))
    }

    @Test("waiting too long for a connection is a timeout of the queue", arguments: drivers)
    func queue(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 1 }) { transport in
                let blocker = try TransportRequest(to: server.url)
                let blocking = Task { try await transport.execute(blocker) }
                #expect(await server.wait { $0.requestCount == 1 })
                try await expectTimeout(.queue, .notSent) {
                    try await transport.failure(request(to: server.url, \.queue))
                }
                blocking.cancel()
                #expect(server.requestCount == 1)
            }
        }
    }

    @Test("a TLS handshake that stalls is a timeout of connecting", arguments: drivers)
    func connect(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run(greeting: [.hang], { _ in [] }) { server in
            try await withTransport(driver) { transport in
                try await expectTimeout(.connect, .notSent) {
                    try await transport.failure(request(to: "https://127.0.0.1:\(server.port)/", \.connect))
                }
            }
        }
    }

    @Test("a missing response is a timeout of the first byte", arguments: drivers)
    func firstByte(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                try await expectTimeout(.firstByte, .maybeSent) {
                    try await transport.failure(request(to: server.url, \.firstByte))
                }
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("a body that stalls is an idle timeout", arguments: drivers)
    func idle(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(announcing: 100, body: "some"), .hang] }) { server in
            try await withTransport(driver) { transport in
                try await expectTimeout(.idle, .answered) {
                    try await transport.failure(request(to: server.url, \.idle))
                }
            }
        }
    }

    @Test("a slow body passes the idle timeout and meets the total one", arguments: drivers)
    func total(driver: CurlTransport.Configuration.Driver) async throws {
        let body = String(repeating: "x", count: 1000)
        try await FaultServer.run({ _ in [.answer(announcing: 1000, body: ""), .drip(body, every: .milliseconds(5))] })
        {
            server in
            try await withTransport(driver) { transport in
                try await expectTimeout(.total, .answered) {
                    try await transport.failure(
                        request(to: server.url, \.total).with {
                            $0.timeouts.total = .seconds(2)
                            $0.timeouts.idle = .milliseconds(1800)
                        }
                    )
                }
            }
        }
    }

    @Test("an interim response restarts the timeout of the first byte")
    func interim() async throws {
        // Longer than the limit in all, and much shorter each.
        let interims = (0..<20).flatMap { [FaultServer.Action.wait(.milliseconds(100)), .interim(102 + $0 % 2)] }
        let script = interims + [.answer(body: "done")]
        try await FaultServer.run({ _ in script }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(
                    request(to: server.url, \.firstByte).with { $0.timeouts.firstByte = .milliseconds(1500) }
                )
                #expect(response.text == "done" && response.head.status == 200)
            }
        }
    }

    @Test("the time in which a stream is not read does not count against timeouts")
    func consumerHoldsBack() async throws {
        let size = 8 << 20
        try await FaultServer.run({ _ in [.answer(body: Data(count: size))] }) { server in
            try await withTransport { transport in
                let stream = try await transport.execute(
                    request(to: server.url, \.idle).with {
                        $0.responseBody = .stream
                        $0.timeouts.idle = .seconds(1)
                    }
                ).stream
                var iterator = stream.makeAsyncIterator()
                var count = try await iterator.next()?.count ?? 0
                // Longer than the limit, with the transfer paused at the high mark.
                try await Task.sleep(for: .seconds(2))
                while let chunk = try await iterator.next() { count += chunk.count }
                #expect(count == size)
            }
        }
    }
}
