import Foundation
import HTTPTypes
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCore

/// Tests of the times in ``TransferTimings``, over real sockets. All bounds are lower bounds, so that a slow machine
/// breaks none.
@Suite("Timings of transfers", .timeLimit(.minutes(5)))
struct TimingTests {
    private func withTransport<Result>(
        _ configure: (inout CurlTransport.Configuration) -> Void = { _ in },
        _ body: (CurlTransport) async throws -> Result
    ) async throws -> Result {
        var configuration = CurlTransport.Configuration()
        configure(&configuration)
        let transport = CurlTransport(configuration)
        do {
            let result = try await body(transport)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    private func request(_ url: String, _ version: HTTPVersionPolicy = .automatic) throws -> TransportRequest {
        TransportRequest(method: .get, url: try RequestURL(url), version: version)
    }

    /// The moments that were reached, in the order they are documented in.
    private func moments(_ timings: TransferTimings) -> [Duration] {
        [timings.nameLookup, timings.connect, timings.tlsHandshake, timings.firstByte, timings.total].compactMap(\.self)
    }

    @Test(
        "the timings of a transfer are in order, and a reused connection has no look-up and connection"
    )
    func plain() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport { transport in
                for isReused in [false, true] {
                    let timings = try await transport.execute(request(server.url)).timings
                    #expect(timings.isConnectionReused == isReused)
                    #expect(timings.tlsHandshake == nil && timings.queue != nil)
                    #expect(moments(timings).count == (isReused ? 2 : 4), "\(timings)")
                    #expect(moments(timings) == moments(timings).sorted(), "\(timings)")
                }
            }
        }
    }

    @Test("the TLS handshake is between the connection and the first byte in timings", arguments: [1, 2])
    func tls(major: Int) async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.tls = certificates.server
            try await withEmbeddedServer(configuration) { server in
                try await withTransport({ $0.certificateAuthorityFile = certificates.authorityPath }) { transport in
                    let url = server.ready.middleware.base.absoluteString
                    for isReused in [false, true] {
                        let version: HTTPVersionPolicy = major == 1 ? .http1 : .automatic
                        let response = try await transport.execute(request(url, version))
                        let timings = response.timings
                        #expect(response.head.version == (major == 1 ? .http1_1 : .http2))
                        #expect(timings.isConnectionReused == isReused)
                        #expect(moments(timings).count == (isReused ? 2 : 5), "\(timings)")
                        #expect(moments(timings) == moments(timings).sorted(), "\(timings)")
                        if !isReused { #expect(try #require(PhaseDurations(timings).tls) > .zero) }
                    }
                }
            }
        }
    }

    @Test("waiting for the response counts as first byte, and its body as body")
    func waits() async throws {
        let steps: [FaultServer.Action] = [
            .wait(.milliseconds(60)), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"),
            .wait(.seconds(1)),
            .send("cd"),
        ]
        try await FaultServer.run({ _ in steps }) { server in
            try await withTransport { transport in
                let durations = PhaseDurations(try await transport.execute(request(server.url)).timings)
                #expect(try #require(durations.firstByte) >= .milliseconds(50))
                #expect(try #require(durations.body) >= .milliseconds(100))
                #expect(try #require(durations.total) >= .milliseconds(1050))
            }
        }
    }

    @Test("waiting for a connection counts as queue in timings")
    func queue() async throws {
        let gate = FaultServer.Gate()
        let script: FaultServer.Script = { request in
            let answer = FaultServer.Action.answer(body: "ok")
            return request.number == 1 ? [.send(whenOpen: gate, ""), answer] : [.wait(.milliseconds(100)), answer]
        }
        try await FaultServer.run(script) { server in
            try await withTransport({ $0.maximumConnectionsPerHost = 1 }) { transport in
                let request = try request(server.url)
                async let first = transport.execute(request).timings
                #expect(await server.wait { $0.requestCount == 1 })
                async let second = transport.execute(request).timings
                try await eventually { await transport.statistics.waitingTransfers == 1 }
                try await Task.sleep(for: .milliseconds(60))
                gate.open()
                _ = try await first
                let timings = try await second
                #expect(try #require(timings.queue) >= .milliseconds(50))
                // All counts from the same start: the server's wait comes on top.
                #expect(moments(timings) == moments(timings).sorted(), "\(timings)")
                #expect(try #require(PhaseDurations(timings).firstByte) >= .milliseconds(90), "\(timings)")
            }
        }
    }

    @Test("the timings of a stream end with its head")
    func stream() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport { transport in
                var request = try request(server.url)
                request.responseBody = .stream
                let response = try await transport.execute(request)
                #expect(moments(response.timings).count == 4)
                #expect(moments(response.timings) == moments(response.timings).sorted(), "\(response.timings)")
            }
        }
    }

    @Test("the timings of a failed transfer show how far it got")
    func failure() async throws {
        try await FaultServer.run({ _ in [.close] }) { server in
            try await withTransport { transport in
                let failure = await #expect(throws: TransportFailure.self) {
                    try await transport.execute(request(server.url))
                }
                let timings = try #require(failure?.timings)
                #expect(timings.connect != nil && timings.firstByte == nil && timings.total != nil)
            }
        }
    }

    @Test("a response has its timings")
    func response() async throws {
        try await FaultServer.run({ _ in [.answer(fields: ["Content-Type: application/json"], body: "1")] }) { server in
            try await withHelium(baseURL: try #require(URL(string: server.url))) { helium in
                let response = try await helium.get("/n", returning: Int.self).response()
                #expect(response.timings.connect != nil && response.timings.total != nil)
                #expect(response.timings.firstByte != nil && !response.timings.isConnectionReused)
            }
        }
    }
}
