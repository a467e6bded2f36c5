import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization

@testable import CosmServer
@testable import HeliumServerKit

/// A Cosm client made of raw HTTP: sends what a test says and nothing else.
struct CosmPeer: Sendable {
    let running: RunningServer
    var key: String

    init(_ running: RunningServer, key: String? = nil) {
        self.running = running
        self.key = key ?? running.ready.cosm.key
    }

    var port: Int { running.ready.http.port ?? 0 }
    var base: String { running.ready.cosm.base.absoluteString }

    /// Sends one request with the key in the header; nil for `key` sends none.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        fields: [(String, String)] = [],
        hasKey: Bool = true
    ) async throws -> RawAnswer {
        let connection = try RawConnection(port: port)
        let fields = fields + (hasKey ? [("X-ApiKey", key)] : [])
        let bytes = Peer.bytes(
            method,
            "/v2\(path)",
            host: "127.0.0.1:\(port)",
            fields: fields,
            body: body.map { Array($0.utf8) }
        )
        try await connection.send(bytes)
        return try await connection.answer(isHead: method == "HEAD")
    }

    func get(_ path: String) async throws -> RawAnswer { try await send("GET", path) }
    func post(_ path: String, _ body: String) async throws -> RawAnswer { try await send("POST", path, body) }
    func put(_ path: String, _ body: String) async throws -> RawAnswer { try await send("PUT", path, body) }
    func delete(_ path: String) async throws -> RawAnswer { try await send("DELETE", path) }

    /// The document of a path, which must be there.
    func document(_ path: String) async throws -> TestJSON {
        let answer = try await get(path)
        guard answer.status == 200 else { throw RawConnection.Failure.malformed("\(answer.status) \(answer.text)") }
        return try TestJSON(parsing: answer.body)
    }

    /// Creates a feed and gives its id.
    @discardableResult
    func createFeed(_ json: String = #"{"title":"Shed"}"#) async throws -> Int {
        let answer = try await post("/feeds", json)
        guard answer.status == 201, let id = answer.location.flatMap({ Int($0) }) else {
            throw RawConnection.Failure.malformed("\(answer.status) \(answer.text)")
        }
        return id
    }

    /// Creates a key and gives it.
    func createKey(_ json: String) async throws -> String {
        let answer = try await post("/keys", json)
        guard answer.status == 201, let key = answer.location else {
            throw RawConnection.Failure.malformed("\(answer.status) \(answer.text)")
        }
        return key
    }
}

extension RawAnswer {
    var document: TestJSON? { try? TestJSON(parsing: body) }

    /// The last segment of `Location`.
    var location: String? { self["location"].flatMap { $0.split(separator: "/").last }.map(String.init) }

    /// The messages of a refusal in JSON, be they one or more.
    var errors: [String] {
        switch document?["errors"] {
        case .string(let text): [text]
        case .array(let elements): elements.compactMap(\.stringValue)
        default: []
        }
    }
}

/// Runs `body` with a server that has Cosm as `change` makes it.
func withCosm(
    _ change: (inout CosmConfiguration) -> Void = { _ in },
    _ body: (CosmPeer) async throws -> Void
) async throws {
    var configuration = EmbeddedServerConfiguration()
    change(&configuration.cosm)
    try await withEmbeddedServer(configuration) { running in
        try await body(CosmPeer(running))
    }
}

/// The use of a key that may read everything of `ann`.
func masterUse() -> KeyUse {
    KeyUse(
        key: .master("K", owner: "ann"),
        method: .get,
        address: "127.0.0.1",
        now: stamp("2013-02-01T00:00:00Z"),
        rules: AccessRules(administrator: "root")
    )
}

/// A clock that tests move.
final class HandClock: Sendable {
    private let microseconds: Mutex<Int64>

    init(_ text: String) { microseconds = Mutex(stamp(text).microseconds) }

    var clock: ServerClock { .microseconds { self.microseconds.withLock { $0 } } }

    func advance(seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }
}

/// An instant that is spelt in a test and therefore readable.
func stamp(_ text: String) -> ServerInstant {
    guard let instant = ServerInstant(text) else { preconditionFailure("no stamp: \(text)") }
    return instant
}
