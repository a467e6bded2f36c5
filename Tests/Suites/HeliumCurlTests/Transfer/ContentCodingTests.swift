import Foundation
import HTTPTypes
import HeliumCompression
import HeliumCore
import HeliumCurl
import HeliumTesting
import TestSupport
import Testing

/// The framing with which a test's server sends a body.
enum Framing: CaseIterable {
    case length, chunks, close

    func actions(coding: String, body: Data) -> [FaultServer.Action] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
        switch self {
        case .length: return [.answer(fields: ["Content-Encoding: \(coding)"], body: body)]
        case .chunks:
            let size = String(body.count, radix: 16)
            let chunk = body.isEmpty ? Data() : Data("\(size)\r\n".utf8) + body + Data("\r\n".utf8)
            return [.send(Data("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + chunk + Data("0\r\n\r\n".utf8))]
        case .close: return [.send(Data("\(head)\r\n".utf8) + body), .close]
        }
    }
}

/// A content coding as servers send it.
enum Coding: String, CaseIterable {
    case gzip, deflate, rawDeflate, members

    var name: String { self == .gzip || self == .members ? "gzip" : "deflate" }

    func encode(_ text: String) -> Data {
        let bytes = Array(text.utf8)
        switch self {
        case .gzip: return Data(Gzip.compressed(bytes))
        case .deflate: return Data(Gzip.deflated(bytes))
        case .rawDeflate: return Data(Gzip.rawDeflated(bytes))
        case .members:
            let half = bytes.count / 2
            return Data(Gzip.compressed(Array(bytes[..<half])) + Gzip.compressed(Array(bytes[half...])))
        }
    }
}

@Suite("Content codings", .timeLimit(.minutes(5)))
struct ContentCodingTests {
    private static let text = (0..<4000).map { "line \($0 &* 2_654_435_761)\n" }.joined()

    /// The body of a response, collected or from a stream.
    private func body(of server: FaultServer, _ transport: CurlTransport, isStream: Bool) async throws -> String {
        let request = try TransportRequest(to: server.url).with { if isStream { $0.responseBody = .stream } }
        let response = try await transport.execute(request)
        guard isStream else { return response.text }
        return String(decoding: try await response.stream.collect(upTo: .max), as: UTF8.self)
    }

    private func expectMalformed(
        _ actions: [FaultServer.Action],
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await FaultServer.run({ _ in actions }) { server in
            try await withTransport { transport in
                for isStream in [false, true] {
                    let failure = await #expect(throws: TransportFailure.self, comment, sourceLocation: sourceLocation)
                    {
                        _ = try await body(of: server, transport, isStream: isStream)
                    }
                    #expect(
                        failure?.kind == .malformedResponse && failure?.delivery == .answered,
                        "\(comment), stream: \(isStream), \(String(describing: failure))",
                        sourceLocation: sourceLocation
                    )
                }
            }
        }
    }

    @Test("a compressed body is decompressed with any framing", arguments: Coding.allCases, Framing.allCases)
    func whole(coding: Coding, framing: Framing) async throws {
        let coded = coding.encode(Self.text)
        try await FaultServer.run({ _ in framing.actions(coding: coding.name, body: coded) }) { server in
            try await withTransport { transport in
                for isStream in [false, true] {
                    let text = try await body(of: server, transport, isStream: isStream)
                    #expect(text == Self.text, "stream: \(isStream)")
                }
            }
        }
    }

    @Test(
        "a compressed body that ends early is malformed with any framing",
        arguments: Coding.allCases,
        Framing.allCases
    )
    func truncated(coding: Coding, framing: Framing) async throws {
        let coded = coding.encode(Self.text)
        // Half of it; all but the last byte; the header of a gzip body alone, and its first byte.
        for count in [coded.count / 2, coded.count - 1, 10, 1] {
            let actions = framing.actions(coding: coding.name, body: coded.prefix(count))
            try await expectMalformed(actions, "\(count) of \(coded.count) bytes")
        }
    }

    @Test("a gzip body without its trailer is malformed", arguments: Framing.allCases)
    func missingTrailer(framing: Framing) async throws {
        let coded = Coding.gzip.encode(Self.text)
        for missing in [8, 4] {
            try await expectMalformed(
                framing.actions(coding: "gzip", body: coded.dropLast(missing)),
                "\(missing) missing"
            )
        }
    }

    @Test("bytes after the end of a coding, and codings that were not requested, are malformed")
    func unknown() async throws {
        let coded = Coding.gzip.encode(Self.text)
        let garbage = Framing.length.actions(coding: "gzip", body: coded + Data("more".utf8))
        try await expectMalformed(garbage, "bytes behind the end")
        for coding in ["br", "zstd", "compress", "gzip, gzip", "gzip, br"] {
            try await expectMalformed(Framing.length.actions(coding: coding, body: coded), "\(coding)")
        }
        let transfer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
        try await expectMalformed([.send(transfer), .close], "a transfer coding")
    }

    @Test("an empty body needs no coding, unless only the end of the connection shows that it is empty")
    func empty() async throws {
        for framing in [Framing.length, .chunks] {
            try await FaultServer.run({ _ in framing.actions(coding: "gzip", body: Data()) }) { server in
                try await withTransport { transport in
                    for isStream in [false, true] {
                        let text = try await body(of: server, transport, isStream: isStream)
                        #expect(text.isEmpty)
                    }
                }
            }
        }
        try await expectMalformed(Framing.close.actions(coding: "gzip", body: Data()), "cut behind the head")
    }

    @Test("a response to HEAD and one without content need no body of their coding", arguments: [200, 204, 304])
    func noBody(status: Int) async throws {
        let actions: [FaultServer.Action] = [.send("HTTP/1.1 \(status) Test\r\nContent-Encoding: gzip\r\n\r\n")]
        try await FaultServer.run({ _ in actions }) { server in
            try await withTransport { transport in
                let request = try TransportRequest(status == 200 ? .head : .get, to: server.url)
                let response = try await transport.execute(request)
                #expect(response.text.isEmpty)
            }
        }
    }

    @Test("a compressed stream that is not read is buffered in its compressed form", arguments: drivers)
    func backPressure(driver: CurlTransport.Configuration.Driver) async throws {
        // More than libcurl can keep decoded for a transfer that is paused.
        let size = 80 << 20
        let coded = Data(Gzip.compressed([UInt8](repeating: 0x61, count: size)))
        try await FaultServer.run({ _ in [.answer(fields: ["Content-Encoding: gzip"], body: coded)] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with {
                    $0.responseBody = .stream
                    $0.limits.decompressionRatio = nil
                }
                let stream = try await transport.execute(request).stream
                try await eventually { await transport.statistics.activeTransfers == 0 }
                var count = 0
                for try await chunk in stream {
                    #expect(chunk.count <= 256 << 10)
                    count += chunk.count
                }
                #expect(count == size)
            }
        }
    }
}
