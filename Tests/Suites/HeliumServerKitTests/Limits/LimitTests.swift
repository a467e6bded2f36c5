import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServerKit

@Suite("Limits and timeouts of the transport", .timeLimit(.minutes(5)))
struct LimitTests {
    private static let services = "/demo-auth/v1/services"

    @Test("too long or too many headers get 400, and the connection is closed")
    func headers() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.headerFieldBytes = 1000
        configuration.limits.headerBytes = 3000
        configuration.limits.headerFields = 20
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let long = String(repeating: "a", count: 900)
            let bombs = [
                [("x", String(repeating: "a", count: 1100))],
                (0..<4).map { ("x\($0)", long) },
                (0..<21).map { ("x\($0)", "a") },
            ]
            for bomb in bombs {
                let connection = try RawConnection(port: peer.port)
                try await connection.send(Peer.bytes("GET", Self.services, host: peer.host, fields: bomb))
                #expect(try await connection.answer().status == 400)
                #expect(try await connection.readToEnd() == [])
            }
            let good = try await peer.send("GET", Self.services, fields: (0..<10).map { ("x\($0)", "a") })
            #expect(good.status == 200)
        }
    }

    @Test("a request of HTTP/1.0 without Host has the address that the server listens on")
    func noHost() async throws {
        try await withEmbeddedServer { running in
            let base = running.ready.cosm.base
            let connection = try RawConnection(port: Peer(running: running).port)
            let body = #"{"title":"Shed"}"#
            try await connection.send(
                "POST /v2/feeds HTTP/1.0\r\nX-ApiKey: \(running.ready.cosm.key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(try await connection.answer()["location"] == "\(base)/feeds/1")
        }
    }

    @Test(
        "a request of HTTP/1.1 without Host or with two gets 400, and the connection is closed",
        arguments: ["", "Host: a\r\nHost: b\r\n", "Host: a\r\nhost: a\r\n"]
    )
    func hosts(_ fields: String) async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            let good = Peer.bytes("GET", Self.services, host: peer.host)
            let bad = Array("GET \(Self.services) HTTP/1.1\r\n\(fields)\r\n".utf8)
            try await connection.send(good + good + bad + good)
            #expect(try await connection.answer().status == 200)
            #expect(try await connection.answer().status == 200)
            #expect(try await connection.answer().status == 400)
            #expect(try await connection.readToEnd() == [])
        }
    }

    @Test(
        "a connection of HTTP/1.0, or with Connection: close, ends with the response",
        arguments: ["1.0\r\nHost: a", "1.0\r\nConnection: keep-alive", "1.1\r\nHost: a\r\nConnection: Close, TE"]
    )
    func lastRequest(_ head: String) async throws {
        try await withEmbeddedServer { running in
            let connection = try RawConnection(port: Peer(running: running).port)
            try await connection.send("GET \(Self.services) HTTP/\(head)\r\n\r\n")
            let answer = try await connection.answer()
            #expect(answer.status == 200 && answer["connection"] == "close")
            #expect(try await connection.readToEnd() == [])
        }
    }

    @Test("an endless response over HTTP/1.0 is not chunked")
    func oldStream() async throws {
        try await withEmbeddedServer { running in
            let connection = try RawConnection(port: Peer(running: running).port)
            let token = running.ready.appNet.users[0].token
            try await connection.send("GET /stream/user?access_token=\(token) HTTP/1.0\r\n\r\n")
            #expect(try await connection.line().hasSuffix("200 OK\r"))
            var fields: [String] = []
            while case let line = try await connection.line(), line != "\r" { fields.append(line.lowercased()) }
            #expect(!fields.contains { $0.hasPrefix("transfer-encoding") })
            #expect(fields.contains("connection: close\r"))
        }
    }

    @Test("bytes that are not HTTP get 400, and the connection is closed")
    func noHTTP() async throws {
        try await withEmbeddedServer { running in
            let connection = try RawConnection(port: Peer(running: running).port)
            try await connection.send("hello there\r\n\r\n")
            #expect(try await connection.answer().status == 400)
            #expect(try await connection.readToEnd() == [])
        }
    }

    @Test(
        "a connection that sends nothing, or its first head too slowly, is closed",
        arguments: ["", "GET / HTTP/1.1\r\nX:"]
    )
    func silent(_ beginning: String) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.firstRequest = .milliseconds(200)
        try await withEmbeddedServer(configuration) { running in
            let connection = try RawConnection(port: Peer(running: running).port)
            try await connection.send(beginning)
            #expect(try await connection.readToEnd() == [])
        }
    }

    @Test("a TLS handshake that does not complete is closed")
    func silentHandshake() async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.tls = certificates.server
            configuration.limits.firstRequest = .milliseconds(200)
            try await withEmbeddedServer(configuration) { running in
                let connection = try RawConnection(port: Peer(running: running).port)
                #expect(try await connection.readToEnd() == [])
            }
        }
    }

    @Test("a connection that is idle after a response is closed")
    func idle() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.idle = .seconds(1)
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            try await connection.send(Peer.bytes("GET", Self.services, host: peer.host))
            #expect(try await connection.answer().status == 200)
            #expect(try await connection.readToEnd() == [])
        }
    }

    @Test("a client that does not read its responses is disconnected", arguments: [false, true])
    func stalledReader(isHTTP2: Bool) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.idle = .milliseconds(300)
        configuration.usesPriorKnowledgeHTTP2 = isHTTP2
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            if isHTTP2 {
                // 90 streams of answers are more than the connection's window of 64 KiB.
                let targets = Array(repeating: Self.services, count: 90)
                try await connection.send(
                    HTTP2Frames.requests("GET", targets, scheme: "http", authority: peer.host)
                )
            } else {
                // As many bytes as no pair of socket buffers holds.
                let requests = Peer.bytes("GET", Self.services, host: peer.host)
                let all = (0..<20_000).flatMap { _ in requests }
                async let sending: Void = connection.send(all)
                _ = try? await sending
            }
            try await eventually { running.server.connectionCount == 0 }
            // The client has not closed it.
            withExtendedLifetime(connection) {}
        }
    }

    @Test("a body that takes longer than its time is cut off, although bytes arrive")
    func drip() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.body = .milliseconds(300)
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            try await connection.send("POST /demo-auth/v1/devices HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
            async let end = connection.readToEnd()
            let dripping = Task {
                while true {
                    try await connection.send(" ")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(try await end == [])
            dripping.cancel()
            #expect(running.requests.count == 0)
        }
    }

    @Test("connections beyond the limit wait until one closes")
    func connections() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.connections = 1
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            var first: RawConnection? = try RawConnection(port: peer.port)
            try await first?.send(Peer.bytes("GET", Self.services, host: peer.host))
            #expect(try await first?.answer().status == 200)
            let second = try RawConnection(port: peer.port)
            try await second.send(Peer.bytes("GET", "/second", host: peer.host))
            #expect(running.requests.count("GET", "/second") == 0)
            #expect(running.server.connectionCount == 1)
            first = nil
            #expect(try await second.answer().status == 404)
        }
    }

    @Test("the request log has the last requests, the count of all, and no device ids")
    func logIsBounded() {
        let log = RequestLog(capacity: 10)
        for number in 0..<100 { log.append(LoggedRequest(method: "GET", path: "/\(number)", status: 200)) }
        #expect(log.count == 100)
        #expect(log.entries.map(\.path) == (90..<100).map { "/\($0)" })
        log.removeAll()
        #expect(log.count == 0)
    }

    @Test("the paths of the request log have no device ids, keys, tokens and passwords")
    func logHasNoSecrets() {
        let id = "a08ada7c88e2bd6c966de2c5cdfafe12"
        let paths = [
            ("/x/devices/\(id)", "/x/devices/:id"),
            ("/appnet-content/a/\(id)a08ada7c88e2bd6c/-/name", "/appnet-content/a/:id/-/name"),
            ("/x/%61\(id.dropFirst())", "/x/:id"), ("/v2/keys/K", "/v2/keys/:key"),
            ("/v2/keys/\u{301}K", "/v2/keys/:key"), ("http://user:s3cret@host/\u{301}a", "/\u{301}a"),
            ("/v2/keys.json/K.json", "/v2/keys.json/:key"),
            ("http://user:s3cret@host/v2/keys/K", "/v2/keys/:key"), ("HTTP://s3cret@host", ""), ("/a://b", "/a://b"),
            ("/feeds/a08ada7c88e2bd6c", "/feeds/a08ada7c88e2bd6c"),
        ]
        for (path, shown) in paths {
            #expect(LoggedRequest(method: "GET", path: path[...], status: 200).path == shown)
        }
    }
}
