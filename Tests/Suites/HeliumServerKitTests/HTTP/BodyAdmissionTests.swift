import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServerKit

@Suite("Admission of bodies by the heads of requests", .timeLimit(.minutes(5)))
struct BodyAdmissionTests {
    private static let upload = 16 * 1024 * 1024

    @Test(
        "an upload without a valid token is refused before its body is received",
        arguments: [
            ("POST", "/stream/0/files", nil, 401), ("POST", "/stream/0/files", "wrong", 401),
            ("POST", "/stream/0/files", "app", 403), ("PUT", "/stream/0/files/1/content", nil, 401),
            ("POST", "/stream/0/users/me/avatar", "wrong", 401), ("POST", "/v1/files", nil, 401),
            ("POST", "/stream/0/nothing/files", nil, 404), ("PATCH", "/stream/0/files", "alice", 405),
        ] as [(String, String, String?, Int)]
    )
    func token(method: String, target: String, token: String?, status: Int) async throws {
        try await withEmbeddedServer { running async throws in
            let tokens = ["app": running.ready.appNet.appToken, "alice": running.ready.appNet.users[0].token]
            let fields = token.map { [("Authorization", "Bearer \(tokens[$0] ?? $0)")] } ?? []
            #expect(try await Self.answer(running, method, target, fields).status == status)
            #expect(running.server.bodies.held == 0)
        }
    }

    @Test("a feed without a valid key is refused, and the connection stays open after a short body")
    func key() async throws {
        try await withEmbeddedServer { running in
            for fields in [[], [("X-ApiKey", "wrong")]] {
                let connection = try RawConnection(port: Peer(running: running).port)
                let head = Peer.bytes("POST", "/v2/feeds", host: "x", fields: fields + [("Content-Length", "6")])
                // A short body is read over, and the connection goes on.
                for _ in 0..<2 {
                    try await connection.send(head + Array("{\"a\":1".utf8))
                    #expect(try await connection.answer().status == 401)
                }
            }
        }
    }

    @Test(
        "bodies beyond the limit of all connections are 503 with Retry-After, those without a key beyond half of it"
    )
    func ceiling() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.bodyBytes = 1000
        configuration.appNet.maxima.uploadBytes = 1000
        configuration.limits.collectedBytes = 2000
        try await withEmbeddedServer(configuration) { running in
            let port = Peer(running: running).port
            let slow = try RawConnection(port: port)
            let form = ("Content-Type", "application/x-www-form-urlencoded")
            let whole = Array(repeating: UInt8(ascii: "a"), count: 900)
            let bytes = Peer.bytes("POST", "/oauth/access_token", host: "x", fields: [form], body: whole)
            try await slow.send(Array(bytes.dropLast()))
            try await eventually { running.server.bodies.held == 899 }
            let connection = try RawConnection(port: port)
            try await connection.send(bytes)
            let refused = try await connection.answer()
            #expect(refused.status == 503 && refused["retry-after"] == "1")
            // Who proves a key has the other half.
            let feed = #"{"title":"\#(String(repeating: "a", count: 200))"}"#
            let key = ("X-ApiKey", running.ready.cosm.key)
            let stored = try await Peer(running: running)
                .send("POST", "/v2/feeds", fields: [key], body: Array(feed.utf8))
            #expect(stored.status == 201)
            try await slow.send("a")
            #expect(try await slow.answer().status == 400)
            try await eventually { running.server.bodies.held == 0 }
            try await connection.send(bytes)
            #expect(try await connection.answer().status == 400)
        }
    }

    @Test("a share of the memory for bodies is given back, and never exceeds the limit")
    func budget() {
        let budget = BodyBudget(maximum: 10)
        var (first, second, third) = (
            budget.share(isProved: false), budget.share(isProved: false), budget.share(isProved: true)
        )
        #expect(first.take(5) && !second.take(1) && third.take(5) && !third.take(1))
        #expect(budget.held == 10)
        first.release()
        #expect(budget.held == 5 && second.take(5))
        first.release()
        second.release()
        third.release()
        #expect(budget.held == 0)
    }

    @Test("a memory for bodies that is smaller than the longest upload is an invalid configuration")
    func configuration() {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.collectedBytes = Self.upload - 1
        #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
    }

    /// Sends a head that announces an upload, and nothing of its body.
    private static func answer(
        _ running: RunningServer,
        _ method: String,
        _ target: String,
        _ fields: [(String, String)]
    ) async throws -> RawAnswer {
        let connection = try RawConnection(port: Peer(running: running).port)
        let type = ("Content-Type", "multipart/form-data; boundary=b")
        let fields = fields + [type, ("Content-Length", String(upload))]
        try await connection.send(Peer.bytes(method, target, host: "x", fields: fields))
        return try await connection.answer()
    }
}
