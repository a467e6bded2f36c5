import Foundation
import GRDB
import HeliumServerTesting
import Logging
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServer
@testable import HeliumServerKit

@Suite("Stores with rows that cannot be read", .timeLimit(.minutes(5)))
struct UnreadableRowTests {
    /// 256 combining marks in a row, which older versions could store and cannot read.
    private static let marks = String(repeating: "\u{301}", count: 256)
    private static let damage = [
        "UPDATE appnet_user SET description = '{\"text\":\"planted \(marks)\"}' WHERE id = 1",
        "UPDATE appnet_post SET entities = '{\"a\":\"planted \(marks)\"}' WHERE id = 2",
        "UPDATE cosm_user SET profile = 'planted'", "UPDATE cosm_key SET document = '{\"permissions\":\"planted\"}'",
    ]

    /// Runs a server with three posts and two feeds, stops it, and damages its store.
    private func withDamagedStore(
        _ body: (EmbeddedServerConfiguration, String, _ secrets: [String]) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("server.sqlite").path
            var configuration = EmbeddedServerConfiguration()
            configuration.store = path
            var secrets = ["planted"]
            try await withEmbeddedServer(configuration) { running in
                for text in ["one", "two", "three"] {
                    let answer = try await Self.appNet(running, "POST", "posts", #"{"text":"\#(text)"}"#)
                    #expect(answer.status == 200)
                }
                for title in ["Shed", "Barn"] {
                    let answer = try await Self.cosm(running, "POST", #"{"title":"\#(title)","tags":["a"]}"#)
                    #expect(answer.status == 201)
                }
            }
            #expect(try EmbeddedServer.problems(inStore: path).isEmpty)
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { database in
                for sql in Self.damage { try database.execute(sql: sql) }
            }
            secrets += try await queue.read { try String.fetchAll($0, sql: "SELECT password FROM appnet_user") }
            try queue.close()
            try await body(configuration, path, secrets)
        }
    }

    private static func appNet(
        _ running: RunningServer,
        _ method: String,
        _ path: String,
        _ body: String? = nil
    ) async throws -> RawAnswer {
        try await Peer(running: running).send(
            method,
            "/stream/0/\(path)",
            fields: [
                ("Authorization", "Bearer \(running.ready.appNet.users[0].token)"),
                ("Content-Type", "application/json"),
            ],
            body: body.map { Array($0.utf8) } ?? []
        )
    }

    private static func cosm(_ running: RunningServer, _ method: String, _ body: String = "") async throws -> RawAnswer
    {
        let fields = [("X-ApiKey", running.ready.cosm.key), ("Content-Type", "application/json")]
        return try await Peer(running: running).send(method, "/v2/feeds", fields: fields, body: Array(body.utf8))
    }

    @Test("a server starts with rows that cannot be read, leaves them out, and logs only their tables and ids")
    func start() async throws {
        try await withDamagedStore { configuration, _, secrets in
            let lines = RecordingLog.Lines()
            let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
            try await withEmbeddedServer(configuration, logger: logger) { running in
                // The user of the start was read, and named.
                #expect(lines.all.contains { $0.contains("row=1") && $0.contains("table=appnet_user") })
                let stream = try await Self.appNet(running, "GET", "posts/stream/global")
                #expect(stream.status == 200)
                #expect(stream.text.contains(#""text":"one""#) && stream.text.contains(#""text":"three""#))
                #expect(!stream.text.contains(#""text":"two""#))
                #expect(try await Self.appNet(running, "GET", "posts/2").status == 404)
                // A row that is left out does not end a list.
                let first = try await Self.appNet(running, "GET", "posts/stream/global?count=1&before_id=3")
                #expect(first.text.contains(#""text":"one""#), "\(first.text)")
                // The user can repair the profile.
                #expect(try await Self.appNet(running, "GET", "users/me").status == 200)
                #expect(try await Self.appNet(running, "GET", "users/search?q=alice").status == 200)
                let repair = #"{"description":{"text":"new"}}"#
                #expect(try await Self.appNet(running, "PATCH", "users/me", repair).status == 200)
                #expect(try await Self.appNet(running, "GET", "users/me").text.contains(#""text":"new""#))
                let feeds = try await Self.cosm(running, "GET")
                #expect(feeds.status == 200)
                #expect(feeds.text.contains("Barn") && feeds.text.contains("Shed"))
            }
            #expect(lines.all.contains { $0.contains("row=2") && $0.contains("table=appnet_post") })
            for secret in secrets { #expect(!lines.all.contains { $0.contains(secret) }) }
        }
    }

    @Test("the check of a store names each row that cannot be read, without its contents")
    func check() async throws {
        try await withDamagedStore { _, path, secrets in
            let problems = try EmbeddedServer.problems(inStore: path)
            #expect(
                Set(problems) == [
                    "row 1 of appnet_user cannot be read", "row 2 of appnet_post cannot be read",
                    "row 1 of cosm_user cannot be read", "row 1 of cosm_key cannot be read",
                ]
            )
            for secret in secrets { #expect(!problems.contains { $0.contains(secret) }) }
        }
    }

    @Test("the check of a file that is not a store is an error, and creates nothing")
    func noStore() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("absent.sqlite").path
            let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer.problems(inStore: path) }
            #expect(error?.kind == .unusableStore)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("the check of a store changes nothing, not even the permissions of the file")
    func unchanged() async throws {
        try await withDamagedStore { _, path, _ in
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let before = files.contents(atPath: path)
            _ = try EmbeddedServer.problems(inStore: path)
            let mode = try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o644)
            #expect(files.contents(atPath: path) == before)
        }
    }

    @Test("the texts of errors contain nothing from a row")
    func errors() throws {
        let row: Row = ["password": "s3cret"]
        let error = #expect(throws: (any Error).self) { try row.decode(Int.self, forColumn: "password") }
        #expect(try StoreFault.text(of: #require(error)) == "a row cannot be decoded")
    }
}
