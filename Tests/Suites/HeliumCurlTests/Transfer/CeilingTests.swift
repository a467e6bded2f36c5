import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Limits of responses", .timeLimit(.minutes(5)))
struct CeilingTests {
    private func expectCeiling(
        _ ceiling: Ceiling,
        _ actions: [FaultServer.Action],
        driver: CurlTransport.Configuration.Driver = .automatic,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws {
        try await FaultServer.run({ _ in actions }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with(change)
                let failure = try await transport.failure(request, sourceLocation: sourceLocation)
                #expect(
                    failure.kind == .ceilingExceeded && failure.ceiling == ceiling && failure.delivery == .answered,
                    "\(failure)",
                    sourceLocation: sourceLocation
                )
            }
        }
    }

    @Test("a body beyond the limit is an error", arguments: drivers)
    func body(driver: CurlTransport.Configuration.Driver) async throws {
        let body = String(repeating: "x", count: 1001)
        try await expectCeiling(.bodyBytes, [.answer(body: body)], driver: driver) {
            $0.responseBody = .collect(upTo: 1000)
        }
    }

    @Test("a body of exactly the limit is received", arguments: [0, 1000, 100_000])
    func exactBody(size: Int) async throws {
        let body = String(repeating: "x", count: size)
        try await FaultServer.run({ _ in [.answer(body: body)] }) { server in
            try await withTransport { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .collect(upTo: size) }
                let response = try await transport.execute(request)
                #expect(response.text == body)
            }
        }
    }

    @Test("an endless chunked body is an error at the limit")
    func endless() async throws {
        let chunks = [String](repeating: String(repeating: "x", count: 10_000), count: 100)
        try await expectCeiling(.bodyBytes, [.unfinishedChunks(chunks), .hang]) {
            $0.responseBody = .collect(upTo: 500_000)
        }
    }

    @Test("the limit of a body counts decompressed bytes")
    func gzipBomb() async throws {
        let bomb = GzipBomb.bytes(decodingTo: 24 << 20)
        #expect(bomb.count < 1 << 20)
        try await expectCeiling(.bodyBytes, [.answer(fields: ["Content-Encoding: gzip"], body: bomb)]) {
            $0.responseBody = .collect(upTo: 16 << 20)
        }
    }

    @Test("a body whose decompression ratio is too high is an error, collected or streamed", arguments: [false, true])
    func decompressionRatio(isStream: Bool) async throws {
        // About 160 to 1.
        let bomb = GzipBomb.bytes(decodingTo: 24 << 20)
        let chunked =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "\(String(bomb.count, radix: 16))\r\n"
        let answers: [[FaultServer.Action]] = [
            [.answer(fields: ["Content-Encoding: gzip"], body: bomb)],
            [.send(Data(chunked.utf8) + bomb + Data("\r\n0\r\n\r\n".utf8))],
        ]
        for actions in answers {
            try await FaultServer.run({ _ in actions }) { server in
                try await withTransport { transport in
                    let request = try TransportRequest(to: server.url).with {
                        $0.responseBody = isStream ? .stream : .collect(upTo: 100 << 20)
                        $0.limits.decompressionRatio = 50
                    }
                    let failure = try await #require(throws: TransportFailure.self) {
                        let answer = try await transport.execute(request)
                        if case .stream(let stream) = answer.body { for try await _ in stream {} }
                    }
                    #expect(failure.kind == .ceilingExceeded && failure.ceiling == .decompressionRatio, "\(failure)")
                    #expect(failure.delivery == .answered)
                }
            }
        }
    }

    @Test("a body within the decompression ratio, or a small one, is received", arguments: [200, 1, nil])
    func allowedRatio(ratio: Int?) async throws {
        // A ratio of 1 is passed by far, but by less than what always is allowed.
        let size = ratio == 1 ? 1 << 20 : 4 << 20
        let body = GzipBomb.bytes(decodingTo: size, isWhole: true)
        try await FaultServer.run({ _ in [.answer(fields: ["Content-Encoding: gzip"], body: body)] }) { server in
            try await withTransport { transport in
                let request = try TransportRequest(to: server.url).with {
                    $0.limits.decompressionRatio = ratio
                    $0.responseBody = .collect(upTo: size)
                }
                #expect(try await transport.execute(request).text.utf8.count == size)
            }
        }
    }

    @Test("content codings are offered unless the request excludes them")
    func codings() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport { transport in
                for accepts in [true, false, true] {
                    _ = try await transport.execute(
                        TransportRequest(to: server.url).with { $0.acceptsContentCodings = accepts }
                    )
                }
                let fields = server.requests.map { $0.lines.first { $0.hasPrefix("Accept-Encoding: ") } ?? "" }
                #expect(fields[1] == "Accept-Encoding: identity")
                #expect(fields[0].contains("gzip") && fields[2] == fields[0])
            }
        }
    }

    @Test("too many header fields are an error", arguments: drivers)
    func headerCount(driver: CurlTransport.Configuration.Driver) async throws {
        try await expectCeiling(.headerCount, [.headerBomb(count: 300, bytes: 10)], driver: driver)
    }

    @Test("too many bytes of header fields are an error", arguments: drivers)
    func headerBytes(driver: CurlTransport.Configuration.Driver) async throws {
        try await expectCeiling(.headerBytes, [.headerBomb(count: 100, bytes: 1000)], driver: driver)
    }

    @Test("a header field that is too long is an error", arguments: [70_000, 1_000_000])
    func longLine(bytes: Int) async throws {
        try await expectCeiling(.headerBytes, [.headerBomb(count: 1, bytes: bytes), .hang])
    }

    @Test("interim responses count against the limit of header fields")
    func interim() async throws {
        try await expectCeiling(.headerBytes, [FaultServer.Action](repeating: .interim(103), count: 5000))
    }

    @Test("trailers count against the limit of header fields, and are not in the head")
    func trailers() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
        let trailer = "X-Trailer: " + String(repeating: "x", count: 1000) + "\r\n"
        try await FaultServer.run({ _ in [.send(head + trailer + "\r\n")] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.text == "ok" && response.head.fields.count == 1)
            }
        }
        try await expectCeiling(.headerBytes, [.send(head + String(repeating: trailer, count: 100) + "\r\n")])
    }

    @Test("fields of an interim response are not in the final one")
    func separatesInterim() async throws {
        let actions: [FaultServer.Action] = [
            .send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"),
            .answer(fields: ["X-Final: 1"], body: "ok"),
        ]
        try await FaultServer.run({ _ in actions }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.head.fields.map { $0.name.rawName } == ["X-Final", "Content-Length"])
                #expect(response.head.status == 200 && response.head.version == .http1_1)
            }
        }
    }

    @Test("a compressed body is decompressed")
    func decodes() async throws {
        let body = GzipBomb.bytes(decodingTo: 100_000, isWhole: true)
        try await FaultServer.run({ _ in [.answer(fields: ["Content-Encoding: gzip"], body: body)] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.text == String(repeating: "a", count: 100_000))
            }
        }
    }
}
