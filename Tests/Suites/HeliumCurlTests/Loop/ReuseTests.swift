import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Reuse of connections", .timeLimit(.minutes(5)))
struct ReuseTests {
    @Test("sequential requests share a connection", arguments: drivers)
    func reuses(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport(driver) { transport in
                for number in 0..<5 {
                    let response = try await transport.execute(TransportRequest(to: server.url))
                    #expect(response.timings.isConnectionReused == (number > 0))
                    #expect(response.timings.firstByte != nil && response.timings.total != nil)
                }
                #expect(server.connectionCount == 1)
            }
        }
    }

    @Test("a body is unchanged by the next responses, whatever their sizes", arguments: drivers, [true, false])
    func keepsBodies(driver: CurlTransport.Configuration.Driver, isAnnounced: Bool) async throws {
        let sizes = [4_096, 1, 4_097, 4_096, 20_000, 0, 100, 200_000, 3, 16_384, 16_385, 7]
        @Sendable func text(_ number: Int) -> String {
            String(repeating: String(number % 10), count: sizes[number - 1])
        }
        let respond: FaultServer.Script = { request in
            let body = text(request.number)
            if isAnnounced { return [.answer(body: body)] }
            let chunk = body.isEmpty ? "" : "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
            return [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n")]
        }
        try await FaultServer.run(respond) { server in
            try await withTransport(driver) { transport in
                var responses: [TransportResponse] = []
                for _ in sizes { responses.append(try await transport.execute(TransportRequest(to: server.url))) }
                #expect(server.connectionCount == 1)
                for (index, response) in responses.enumerated() {
                    #expect(response.text == text(index + 1), "response \(index + 1) of \(sizes[index]) bytes")
                }
            }
        }
    }

    @Test("a connection that the server closed while idle is not used", arguments: drivers)
    func noticesIdleClose(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok"), .close] }) { server in
            try await withTransport(driver) { transport in
                for _ in 0..<3 {
                    let response = try await transport.execute(TransportRequest(.post, to: server.url, body: "x"))
                    #expect(response.text == "ok")
                    // On the loopback the end has reached us once the server has nothing open.
                    #expect(await server.wait { $0.openConnectionCount == 0 })
                }
                #expect(server.requestCount == 3)
            }
        }
    }

    @Test(
        "a request on a reused connection that dies without a response is not sent again",
        arguments: [HTTPRequest.Method.post, .get],
        drivers
    )
    func sendsOnce(method: HTTPRequest.Method, driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ $0.number == 2 ? [.close] : [.answer(body: "ok")] }) { server in
            try await withTransport(driver) { transport in
                _ = try await transport.execute(TransportRequest(to: server.url))
                let body = method == .post ? "charge" : nil
                let failure = try await transport.failure(TransportRequest(method, to: server.url, body: body))
                #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(failure)")
                #expect(failure.timings.isConnectionReused || server.connectionCount <= 2)
                #expect(server.requestCount == 2)
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.text == "ok" && server.requestCount == 3)
            }
        }
    }

    @Test("requests beyond the limit per host wait for a connection", arguments: drivers)
    func limitsConnections(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.wait(.milliseconds(5)), .answer(body: "ok")] }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 3 }) { transport in
                let request = try TransportRequest(to: server.url)
                try await withThrowingTaskGroup { group in
                    for _ in 0..<30 { group.addTask { try await transport.execute(request).text } }
                    for try await text in group { #expect(text == "ok") }
                }
                #expect(server.connectionCount <= 3 && server.requestCount == 30)
            }
        }
    }
}
