import HeliumConcurrency
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServerKit

@Suite("Calls and connections while the server stops", .timeLimit(.minutes(5)))
struct GracefulStopTests {
    @Test("a call over HTTP/2 in progress gets its response, and the client is told which calls were processed")
    func http2() async throws {
        let server = try await HeldServer { $0.usesPriorKnowledgeHTTP2 = true }
        let connection = try RawConnection(port: server.port)
        try await connection.send(HTTP2Frames.requests("GET", ["/held"], scheme: "http", authority: "x"))
        try await server.held.arrival.valueIgnoringCancellation()
        server.stop()
        // The client of this test acknowledges nothing.
        var bytes = try await connection.read(until: { HTTP2Frames.lastStreams(in: $0) == [0x7FFF_FFFF] })
        // A call that was on its way is processed too.
        try await connection.send(HTTP2Frames.request("GET", "/other", stream: 3, scheme: "http", authority: "x"))
        bytes += try await connection.read(until: { HTTP2Frames.areComplete([3], in: bytes + $0) })
        server.held.gate.settle()
        bytes += try await connection.readToEnd()
        #expect(HTTP2Frames.answer(1, in: bytes) == (true, "held"))
        #expect(HTTP2Frames.answer(3, in: bytes) == (true, "ok"))
        #expect(HTTP2Frames.areComplete([1, 3], in: bytes))
        #expect(HTTP2Frames.lastStreams(in: bytes) == [0x7FFF_FFFF, 3])
        try await server.end()
    }

    @Test("an idle connection of HTTP/2 gets its last stream, and is closed without an acknowledgement")
    func idleHTTP2() async throws {
        let server = try await HeldServer { $0.usesPriorKnowledgeHTTP2 = true }
        let connection = try RawConnection(port: server.port)
        try await connection.send(HTTP2Frames.requests("GET", ["/", "/"], scheme: "http", authority: "x"))
        var bytes = try await connection.read(until: { HTTP2Frames.areComplete([1, 3], in: $0) })
        server.stop()
        bytes += try await connection.readToEnd()
        #expect(HTTP2Frames.lastStreams(in: bytes).last == 3)
        try await server.end()
    }

    @Test("a connection of HTTP/2 without a request is told that nothing was processed")
    func silentHTTP2() async throws {
        let server = try await HeldServer { $0.usesPriorKnowledgeHTTP2 = true }
        let connection = try RawConnection(port: server.port)
        try await connection.send(HTTP2Frames.requests("GET", [], scheme: "http", authority: "x"))
        // The server has acknowledged the settings.
        var bytes = try await connection.read(until: { bytes in
            HTTP2Frames.parse(bytes).contains { $0.type == HTTP2Frames.settings && $0.flags == 1 }
        })
        server.stop()
        bytes += try await connection.readToEnd()
        #expect(HTTP2Frames.lastStreams(in: bytes) == [0])
        try await server.end()
    }

    @Test("a response over HTTP/2 that waits for the client's window is sent to its end")
    func window() async throws {
        let server = try await HeldServer { $0.usesPriorKnowledgeHTTP2 = true }
        let connection = try RawConnection(port: server.port)
        try await connection.send(HTTP2Frames.requests("GET", ["/large"], scheme: "http", authority: "x"))
        var bytes = try await connection.read(until: { HTTP2Frames.bodyCount(1, in: $0) == 65_535 })
        server.stop()
        bytes += try await connection.read(until: { HTTP2Frames.lastStreams(in: bytes + $0) == [0x7FFF_FFFF] })
        let increment = UInt32(HeldService.largeBytes)
        try await connection.send(
            HTTP2Frames.windowUpdate(0, by: increment) + HTTP2Frames.windowUpdate(1, by: increment)
        )
        bytes += try await connection.readToEnd()
        #expect(HTTP2Frames.bodyCount(1, in: bytes) == HeldService.largeBytes)
        #expect(HTTP2Frames.areComplete([1], in: bytes))
        try await server.end()
    }

    @Test("a response over HTTP/1.1 that the client reads late is sent to its end")
    func lateReader() async throws {
        let server = try await HeldServer { _ in }
        let idle = try RawConnection(port: server.port)
        try await idle.send(Peer.bytes("GET", "/", host: "x"))
        #expect(try await idle.answer().status == 200)
        let connection = try RawConnection(port: server.port)
        try await connection.send(Peer.bytes("GET", "/large", host: "x"))
        let head = try await connection.read(count: 15)
        #expect(head == Array("HTTP/1.1 200 OK".utf8))
        server.stop()
        #expect(try await idle.readToEnd() == [])
        let rest = try await connection.readToEnd()
        #expect(rest.count > HeldService.largeBytes && rest.suffix(HeldService.largeBytes).allSatisfy { $0 == 0x61 })
        try await server.end()
    }

    enum Client: CaseIterable {
        case http1, http2, beforeHandshake, inHandshake
    }

    @Test(
        "a client that keeps its end of TLS open does not hold the stop up",
        .tags(.alone),
        arguments: Client.allCases
    )
    func idleTLS(_ client: Client) async throws {
        try await ThrowawayCertificates.with { certificates in
            let server = try await HeldServer { $0.tls = certificates.server }
            let connection: any Sendable
            switch client {
            case .http1, .http2:
                let silent = try await SilentTLSClient(port: server.port, isHTTP2: client == .http2)
                try await silent.call()
                connection = silent
            case .beforeHandshake, .inHandshake:
                let raw = try RawConnection(port: server.port)
                // The head of a record of TLS, and the first byte of its content.
                if client == .inHandshake { try await raw.send([0x16, 3, 1, 2, 0, 1]) }
                try await eventually { server.server.connectionCount == 1 }
                connection = raw
            }
            let start = ContinuousClock.now
            server.stop()
            try await server.end()
            // NIOSSL alone would wait for five seconds.
            #expect(ContinuousClock.now - start < .seconds(5))
            withExtendedLifetime(connection) {}
        }
    }
}

extension RawConnection {
    /// Reads until the bytes satisfy a condition. Reading more than the bytes of one response is no error.
    fileprivate func read(until condition: ([UInt8]) -> Bool) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !condition(bytes) { bytes += try await readSome() }
        return bytes
    }
}

extension HTTP2Frames {
    /// The last streams of the GOAWAY frames without an error.
    fileprivate static func lastStreams(in bytes: [UInt8]) -> [UInt32] {
        parse(bytes).filter { $0.type == 7 && $0.payload[4...] == [0, 0, 0, 0] }.map { frame in
            frame.payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The number of bytes of the body on a stream.
    fileprivate static func bodyCount(_ stream: UInt32, in bytes: [UInt8]) -> Int {
        parse(bytes).filter { $0.type == data && $0.stream == stream }.reduce(0) { $0 + $1.payload.count }
    }
}
