import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServerKit

/// A handshake that breaks one rule of RFC 6455 §4.2.1, and the answer.
struct HandshakeRule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    /// Fields of the answer.
    let fields: [String: String]
    private let line: String
    private let changes: [(String, [String])]

    /// - Parameter changes: Fields with other values; an empty list leaves one out.
    init(
        _ name: String,
        _ status: Int,
        _ fields: [String: String] = [:],
        line: String = "GET PATH HTTP/1.1",
        _ changes: (String, [String])...
    ) {
        testDescription = name
        self.status = status
        self.fields = fields
        self.line = line
        self.changes = changes
    }

    func request(_ path: String) -> String {
        var request = [line.replacing("PATH", with: path)]
        let standard = [
            ("Host", "127.0.0.1"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
        ]
        for (name, value) in standard {
            let values = changes.first { $0.0 == name }?.1 ?? [value]
            request += values.map { "\(name): \($0)" }
        }
        for (name, values) in changes where !standard.contains(where: { $0.0 == name }) {
            request += values.map { "\(name): \($0)" }
        }
        return request.joined(separator: "\r\n") + "\r\n\r\n"
    }

    static let upgrade = ["upgrade": "websocket", "sec-websocket-version": "13"]

    static let refused: [Self] = [
        .init("POST", 405, ["allow": "GET"], line: "POST PATH HTTP/1.1", ("Content-Length", ["0"])),
        .init("HEAD", 405, ["allow": "GET"], line: "HEAD PATH HTTP/1.1"),
        .init("no Host", 400, [:], ("Host", [])),
        .init("two hosts", 400, [:], ("Host", ["a", "b"])),
        .init("no version", 426, upgrade, ("Sec-WebSocket-Version", [])),
        .init("version 8", 426, upgrade, ("Sec-WebSocket-Version", ["8"])),
        .init("two versions", 426, upgrade, ("Sec-WebSocket-Version", ["13", "13"])),
        .init("no key", 400, [:], ("Sec-WebSocket-Key", [])),
        .init("two keys", 400, [:], ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="])),
        .init("a key of three bytes", 400, [:], ("Sec-WebSocket-Key", ["YWJj"])),
        .init("a key of 17 bytes", 400, [:], ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZTE="])),
        .init("a key that is no base64", 400, [:], ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZ???"])),
        .init("a body", 400, [:], ("Content-Length", ["3"])),
        .init("a body in chunks", 400, [:], ("Transfer-Encoding", ["chunked"])),
    ]

    /// Requests that ask for no WebSocket, or not in a way that counts (RFC 9110 §7.8).
    static let plain: [Self] = [
        .init("HTTP/1.0", 404, [:], line: "GET PATH HTTP/1.0"),
        .init("no Upgrade", 404, [:], ("Upgrade", [])),
        .init("another upgrade", 404, [:], ("Upgrade", ["h2c"])),
        .init("no Connection", 404, [:], ("Connection", [])),
        .init("another Connection", 404, [:], ("Connection", ["keep-alive"])),
        .init("a Connection that only contains the word", 404, [:], ("Connection", ["noupgrade"])),
    ]

    static let accepted: [Self] = [
        .init("the usual", 101, [:]),
        .init("other letter case", 101, [:], ("Upgrade", ["WebSocket"]), ("Connection", ["UPGRADE"])),
        .init("lists", 101, [:], ("Upgrade", ["h2c, websocket"]), ("Connection", ["keep-alive, Upgrade"])),
        .init("several fields", 101, [:], ("Connection", ["keep-alive", "Upgrade"])),
        .init("extensions and subprotocols", 101, [:], ("Sec-WebSocket-Extensions", ["permessage-deflate"])),
    ]
}

@Suite("WebSocket handshakes of the server", .timeLimit(.minutes(5)))
struct WebSocketHandshakeTests {
    @Test("an invalid WebSocket handshake is refused by both live sockets, and the connection ends")
    func refused() async throws {
        try await withEmbeddedServer { running in
            for (port, path) in Self.sockets(running) {
                for rule in HandshakeRule.refused {
                    let connection = try RawConnection(port: port)
                    try await connection.send(rule.request(path))
                    let answer = try await connection.answer(isHead: rule.testDescription == "HEAD")
                    #expect(answer.status == rule.status, "\(rule.testDescription) at \(path)")
                    for (name, value) in rule.fields {
                        #expect(answer[name] == value, "\(rule.testDescription) at \(path)")
                    }
                    #expect(answer["connection"]?.contains("close") == true)
                }
            }
        }
    }

    @Test("a valid WebSocket handshake is accepted with the digest of the key")
    func accepted() async throws {
        try await withEmbeddedServer { running in
            for (port, path) in Self.sockets(running) {
                for rule in HandshakeRule.accepted {
                    let connection = try RawConnection(port: port)
                    try await connection.send(rule.request(path))
                    let status = try await connection.line()
                    #expect(status.hasPrefix("HTTP/1.1 101"), "\(rule.testDescription) at \(path)")
                    var fields: [String] = []
                    while case let line = try await connection.line(), line != "\r" { fields.append(line.lowercased()) }
                    // RFC 6455 §1.3 has this very key.
                    #expect(fields.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r"))
                    #expect(!fields.contains { $0.hasPrefix("sec-websocket-extensions") })
                }
            }
        }
    }

    @Test("a request that is no WebSocket handshake, or at another path, is served over HTTP")
    func plain() async throws {
        try await withEmbeddedServer { running in
            let path = "/demo-auth/v1/services"
            let requests = HandshakeRule.plain.map { $0.request("/") } + [WebSocketClient.handshake("/other")]
            for request in requests {
                let connection = try RawConnection(port: running.ready.cosm.webSocket.port ?? 0)
                try await connection.send(request)
                let answer = try await connection.answer()
                #expect(answer.status == 404, "\(request)")
                if answer["connection"] == "close" {
                    #expect(try await connection.readToEnd().isEmpty, "\(request)")
                } else {
                    try await connection.send(Peer.bytes("GET", path, host: "127.0.0.1"))
                    #expect(try await connection.answer().status == 200, "\(request)")
                }
            }
        }
    }

    @Test("a request with a body that asks for another protocol is served over HTTP")
    func otherProtocol() async throws {
        try await withEmbeddedServer { running in
            let connection = try RawConnection(port: running.ready.http.port ?? 0)
            try await connection.send(
                "POST /v2/feeds HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
                    + "X-ApiKey: \(running.ready.cosm.key)\r\nContent-Length: 16\r\n\r\n{\"title\":\"Shed\"}"
            )
            #expect(try await connection.answer().status == 201)
        }
    }

    @Test("an incomplete WebSocket handshake, or one with a body, leaves no connection open")
    func noHTTP() async throws {
        try await withEmbeddedServer { running in
            for request in ["hello there\r\n\r\n", WebSocketClient.handshake("/") + "body"] {
                let connection = try RawConnection(port: running.ready.cosm.webSocket.port ?? 0)
                try await connection.send(request)
                _ = try await connection.readToEnd()
            }
            try await eventually { running.cosm.liveConnectionCount == 0 }
        }
    }

    private static func sockets(_ running: RunningServer) -> [(port: Int, path: String)] {
        let ready = running.ready
        let token = ready.appNet.users.first?.token ?? ""
        return [
            (ready.cosm.webSocket.port ?? 0, "/"),
            (ready.appNet.userStream.port ?? 0, "/stream/user?connection_id=one&access_token=\(token)"),
        ]
    }
}
