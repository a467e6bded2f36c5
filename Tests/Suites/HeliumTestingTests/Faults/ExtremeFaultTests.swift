import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import Testing

@testable import HeliumTesting

@Suite("Extreme sizes and waits of the fault server", .timeLimit(.minutes(5)))
struct ExtremeFaultTests {
    private static let integers = [Int.min, -1, 0, 1, .max]
    private static let shortWaits: [Duration] = [
        Duration(attoseconds: .min), .seconds(Int64.min), .nanoseconds(-1), .zero, .nanoseconds(1),
    ]
    private static let longWaits: [Duration] = [
        .seconds(1_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max),
    ]

    /// Returns the body of the response to one request.
    private func body(of fault: FaultServer.Fault, _ path: String = "/") async throws -> String {
        try await FaultServer.run(faults: [fault]) { server in
            try await withCurlTransport { try await $0.execute(TransportRequest(to: server.url + path)).text }
        }
    }

    @Test("a header bomb has at most 100,000 fields, and 16 MiB of values", arguments: integers, integers)
    func headerBombs(count: Int, bytes: Int) throws {
        guard case .send(let head) = FaultServer.Action.headerBomb(count: count, bytes: bytes).steps.first else {
            Issue.record("a header bomb is sent")
            return
        }
        #expect(head.count <= (16 << 20) + (100_000 * 20) + 100)
        let isEmpty = count < 1
        #expect((head.count < 100) == (isEmpty || count == 1 && bytes <= 1))
    }

    @Test("a gzip bomb of any size is sent", arguments: integers)
    func gzipBombs(bytes: Int) async throws {
        try await FaultServer.run(faults: [.gzipBomb(decodingTo: bytes), .healthy]) { server in
            try await withCurlTransport { transport async throws in
                let request = try TransportRequest(to: server.url)
                if bytes == .max {
                    #expect(try await transport.failure(request).kind == .ceilingExceeded)
                } else {
                    // A bomb lacks its end, which may be a failure.
                    _ = try? await transport.execute(request)
                }
                #expect(try await transport.execute(request).text == "ok")
            }
        }
    }

    @Test(
        "a bomb of a size decodes to this size, also if its parts repeat",
        arguments: [0, 1, 258, 4128, 4129, 100_003]
    )
    func sizes(bytes: Int) async throws {
        let bomb = GzipBomb.bytes(decodingTo: bytes, isWhole: true)
        let answer = FaultServer.Action.answer(fields: ["Content-Encoding: gzip"], body: bomb)
        #expect(try await body(of: .custom("bomb", [answer])) == String(repeating: "a", count: bytes))
    }

    @Test("a body drips in pieces of any size", arguments: integers)
    func pieces(chunk: Int) async throws {
        #expect(try await body(of: .drip("drop by drop", chunk: chunk, every: .zero)) == "drop by drop")
    }

    @Test("a wait that is not positive does not wait", arguments: shortWaits)
    func noWait(duration: Duration) async throws {
        #expect(try await body(of: .slowAccept(duration)) == "ok")
        #expect(try await body(of: .drip("drop", every: duration)) == "drop")
        #expect(try await body(of: .custom("wait", [.wait(duration), .answer(body: "ok")])) == "ok")
    }

    @Test("a wait of any length ends with the server", arguments: longWaits)
    func longWait(duration: Duration) async throws {
        let waits: [FaultServer.Fault] = [
            .custom("wait", [.wait(duration), .answer(body: "ok")]), .drip("drop", every: duration),
        ]
        for fault in waits {
            try await FaultServer.run(faults: [fault]) { server in
                try await withCurlTransport { transport in
                    let request = try TransportRequest(to: server.url)
                    let call = Task { try await transport.execute(request) }
                    #expect(await server.wait { $0.requestCount == 1 })
                    call.cancel()
                    let result = await call.result
                    #expect(throws: TransportFailure.self) { try result.get() }
                }
            }
        }
    }

    @Test("waiting for the server takes any limit", arguments: shortWaits + longWaits)
    func limits(duration: Duration) async throws {
        try await FaultServer.run(faults: [.healthy]) { server in
            #expect(await server.wait(upTo: duration) { _ in true })
            if duration <= .zero { #expect(await !server.wait(upTo: duration) { _ in false }) }
        }
    }

    @Test("a chain of any number of redirects ends, whatever number the client names", arguments: integers)
    func redirects(hops: Int) async throws {
        let numbers = ["", "/hop-\(Int.min)", "/hop-\(Int.max - 1)", "/hop-\(Int.max)", "/hop-9\(Int.max)"]
        try await FaultServer.run(faults: [.redirectChain(hops)]) { server in
            try await withCurlTransport { transport in
                for path in numbers {
                    let status = try await transport.execute(TransportRequest(to: server.url + path)).head.status
                    let hop = Int(path.dropFirst(5)) ?? 0
                    #expect(status == (hop < hops ? 302 : 200))
                }
            }
        }
    }

    @Test(
        "a date of Retry-After is in the years 1970 to 9999",
        arguments: [
            (-Double.infinity, false), (-1e300, false), (-1, false), (0, false), (.nan, false), (1e300, true),
            (.infinity, true),
        ] as [(Double, Bool)]
    )
    func dates(seconds: Double, isLast: Bool) {
        let value = FaultServer.Fault.RetryAfter.date(Date(timeIntervalSince1970: seconds)).value
        #expect(value == (isLast ? "Fri, 31 Dec 9999 23:59:59 GMT" : "Thu, 01 Jan 1970 00:00:00 GMT"))
    }

    @Test(
        "a chunk whose size is out of range ends the connection, also after another chunk",
        arguments: ["7fffffffffffffff", "8000000000000000", "-1", "4000000", "-8000000000000000"]
    )
    func chunks(size: String) async throws {
        try await FaultServer.run(faults: [.healthy]) { server in
            let head = "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            let bytes = Data("\(head)1\r\na\r\n\(size)\r\n".utf8)
            try await LoopbackClient.send(bytes, thenZeros: 0, toPort: server.port)
            #expect(await server.wait { $0.openConnectionCount == 0 && $0.connectionCount == 1 })
            #expect(server.events.last?.what == .closedByServer && server.requestCount == 0)
        }
    }

    @Test(
        "a body whose announced length is out of range ends the connection",
        arguments: ["9223372036854775807", "67108865"]
    )
    func lengths(length: String) async throws {
        try await FaultServer.run(faults: [.healthy]) { server in
            let bytes = Data("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n".utf8)
            try await LoopbackClient.send(bytes, thenZeros: 0, toPort: server.port)
            #expect(await server.wait { $0.openConnectionCount == 0 && $0.connectionCount == 1 })
            #expect(server.events.last?.what == .closedByServer && server.requestCount == 0)
        }
    }
}
