import Foundation
import GRDB
import HeliumConcurrency
import HeliumDatabase
import HeliumServerTesting
import Logging
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServer
@testable import HeliumServerKit
@testable import JetstreamHosting

#if os(Linux)
    @Suite("Servers whose store fails", .timeLimit(.minutes(5)))
    struct StoreFaultTests {
        /// A request that writes, and one that reads, of each protocol.
        private enum Service: CaseIterable {
            case middleware, cosm, appNet, conAir

            func write(_ peer: Peer, _ device: String) async throws -> RawAnswer {
                let long = String(repeating: "x", count: 5_000)
                switch self {
                case .middleware:
                    return try await peer.post(
                        "/demo-auth/v1/devices",
                        #"{"device":{"notification":{"token":"\#(long.prefix(500))"}}}"#
                    )
                case .cosm:
                    let fields = [("X-ApiKey", peer.running.ready.cosm.key), ("Content-Type", "application/json")]
                    let body = Array(#"{"title":"long","description":"\#(long)"}"#.utf8)
                    return try await peer.send("POST", "/v2/feeds", fields: fields, body: body)
                case .appNet:
                    let fields = [
                        ("Authorization", "Bearer \(peer.running.ready.appNet.users[0].token)"),
                        ("Content-Type", "application/json"),
                    ]
                    return try await peer.send(
                        "POST",
                        "/stream/0/posts",
                        fields: fields,
                        body: Array(#"{"text":"hello"}"#.utf8)
                    )
                case .conAir:
                    let readings = (0..<900).map { #"{"ts":"2012-12-11T20:00:00.\#($0 + 100)Z","value":1}"# }
                    return try await peer.send(
                        "POST",
                        "/data/",
                        fields: [("Content-Type", "application/json")],
                        body: Array("[\(readings.joined(separator: ","))]".utf8)
                    )
                }
            }

            func read(_ peer: Peer, _ device: String) async throws -> RawAnswer {
                switch self {
                case .middleware: try await peer.signed("GET", "/demo-auth/v1/todo", device: device)
                case .cosm:
                    try await peer.send("GET", "/v2/feeds", fields: [("X-ApiKey", peer.running.ready.cosm.key)])
                case .appNet:
                    try await peer.send(
                        "GET",
                        "/stream/0/posts/stream/global",
                        fields: [("Authorization", "Bearer \(peer.running.ready.appNet.users[0].token)")]
                    )
                case .conAir:
                    try await peer.send(
                        "GET",
                        "/data/?start=2012-12-11T20:00:00Z&stop=2012-12-11T20:10:00Z&step=120000"
                    )
                }
            }
        }

        private func withServer(
            _ body: (RunningServer, any DatabaseWriter, String, RecordingLog.Lines) async throws -> Void
        ) async throws {
            try await withTemporaryFolder { folder in
                var configuration = EmbeddedServerConfiguration()
                let path = folder.appending(path: "store.sqlite").path
                configuration.store = path
                let lines = RecordingLog.Lines()
                let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
                try await withEmbeddedServer(configuration, logger: logger) { running in
                    let database = running.server[CosmService.self].state.store.access.database
                    try await body(running, database, path, lines)
                }
            }
        }

        @Test(
            "Writes are 503 with Retry-After while the store cannot be written, reads are answered, and then all works",
            arguments: InjectedStoreFault.allCases
        )
        func temporary(fault: InjectedStoreFault) async throws {
            try await withServer { running, database, path, lines in
                let peer = Peer(running: running)
                // Its first use is not recorded yet, and the first read cannot record it.
                let device = try await peer.register()
                let end = try await fault.begin(path) { sql in
                    try await database.writeWithoutTransaction { try $0.execute(sql: sql) }
                }
                for service in Service.allCases {
                    var answer = try await service.write(peer, device)
                    // A full store has room left in its pages for a few small rows.
                    for _ in 0..<200 where fault == .full && answer.status < 400 {
                        answer = try await service.write(peer, device)
                    }
                    #expect(answer.status == 503, "\(service): \(answer.text)")
                    #expect(answer["retry-after"] == "5", "\(service)")
                    #expect(try await service.read(peer, device).status == 200, "\(service)")
                }
                #expect(lines.all.count { $0.contains("error=\(fault.words)") } >= Service.allCases.count)
                try await end()
                for service in Service.allCases {
                    let answer = try await service.write(peer, device)
                    #expect(200...201 ~= answer.status, "\(service): \(answer.text)")
                }
            }
        }

        @Test("Requests that need a damaged page are 500, the log names the damage, and the server goes on")
        func damaged() async throws {
            try await withServer { running, database, path, lines in
                let peer = Peer(running: running)
                let device = try await peer.register()
                try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                try UnwritableFile.damage(path, from: 4096)
                (database as? DatabasePool)?.releaseMemory()
                for service in Service.allCases {
                    let answer = try await service.write(peer, device)
                    #expect(answer.status == 500, "\(service): \(answer.text)")
                    #expect(answer["retry-after"] == nil, "\(service)")
                }
                #expect(lines.all.contains { $0.contains("error=the file is damaged (SQLite error ") })
                #expect(try await peer.send("GET", "/nothing").status == 404)
            }
        }

        @Test("A server whose store is damaged ends in the time for its shutdown, although a request does not end")
        func endsInTime() async throws {
            try await withTemporaryFolder { folder in
                var configuration = EmbeddedServerConfiguration()
                configuration.limits.shutdown = .milliseconds(50)
                // A file, so that the request's key can be read while a write is in progress.
                configuration.store = folder.appendingPathComponent("store.sqlite").path
                let server = try EmbeddedServer(configuration)
                let running = Task { try await server.run() }
                let ready = try await server.ready()
                // Another call that keeps Cosm's store for much longer than the server waits for its end.
                let gate = DispatchSemaphore(value: 0)
                defer { gate.signal() }
                let (starts, start) = AsyncStream<Void>.makeStream()
                let database = server[CosmService.self].state.store.access.database
                let other = Task {
                    try await database.write { _ in
                        start.finish()
                        _ = gate.wait(timeout: .now() + 240)
                    }
                }
                for await _ in starts {}
                let connection = try RawConnection(port: ready.http.port ?? 0)
                let fields = [("X-ApiKey", ready.cosm.key)]
                let body = Array(#"{"title":"Shed"}"#.utf8)
                try await connection.send(Peer.bytes("POST", "/v2/feeds", host: "x", fields: fields, body: body))
                try await eventually { server.bodies.held == body.count }
                let begin = ContinuousClock.now
                let host = server[JetstreamService.self].control.host
                await host.end.settle(.failure(StoreFault(DatabaseError(resultCode: .SQLITE_CORRUPT))))
                let error = await #expect(throws: EmbeddedServerError.self) { try await running.value }
                #expect(error?.kind == .failedStore)
                #expect(error?.reason.hasSuffix("store.sqlite: the file is damaged (SQLite error 11)") == true)
                #expect(ContinuousClock.now - begin < .seconds(60))
                gate.signal()
                try await other.value
            }
        }

        @Test(
            "An unexpected failure is named by SQLite's words or by its type, without the text of a row",
            arguments: [
                (
                    DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "private") as any Error,
                    "an access failed: constraint failed (SQLite error 2067)"
                ),
                (
                    DatabaseError(resultCode: .SQLITE_ERROR, message: "private", sql: "SELECT 'private'"),
                    "an access failed: SQL logic error (SQLite error 1)"
                ),
                (
                    DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "private")),
                    "an access failed: DecodingError"
                ), (DatabaseError(resultCode: .SQLITE_FULL, message: "private"), "the disk is full (SQLite error 13)"),
            ]
        )
        func words(error: any Error, words: String) {
            let fault = StoreFault(error)
            #expect("\(fault)" == words)
            var dumped = ""
            dump(fault, to: &dumped)
            #expect(!dumped.contains("private"))
        }
    }
#endif
