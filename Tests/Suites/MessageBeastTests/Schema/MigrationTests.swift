import AppNet
import Foundation
import GRDB
import HeliumDatabase
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Migrations of MessageBeast's store", .timeLimit(.minutes(5)))
struct MigrationTests {
    /// Every released version has a file. `HELIUM_MAKE_FIXTURES=1` writes it again.
    private static func fixture(_ version: Int) -> URL {
        SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-\(version).sqlite")
    }

    private func withCopy(_ body: (String) throws -> Void) throws {
        try withTemporaryFile { path in
            try FileManager.default.copyItem(atPath: Self.fixture(1).path, toPath: path)
            try body(path)
        }
    }

    @Test(
        "the file of version 1 is written for the fixtures",
        .enabled(if: ProcessInfo.processInfo.environment["HELIUM_MAKE_FIXTURES"] != nil)
    )
    func makeFixture() throws {
        let url = Self.fixture(1)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: url)
        try Version1File.make(at: url.path)
    }

    @Test("a file of version 1 is migrated with everything in it", .behaviour(132))
    func migration() throws {
        let size = try FileManager.default.attributesOfItem(atPath: Self.fixture(1).path)[.size] as? Int
        #expect(try #require(size) < 200_000)
        try withCopy { path in
            let old = try DatabaseQueue(path: path)
            let before = try old.read(Version1File.contents)
            #expect(try old.read { try !$0.tableExists("retired_token") })
            try old.close()
            let beast = try BeastDatabase.open(path, account: "1")
            let writer = beast.access.database
            // The new index is still empty. The old ones have all words, as after the migration of the previous version.
            let unfilled = try Journal(beast, Version1File.configuration)
            #expect(try writer.read { try IndexUpgrade(database: $0).state() } == .both)
            #expect(try unfilled.search("日本") == [3] && unfilled.search("first") == [1])
            while try writer.write({ try IndexUpgrade(database: $0).step() }) != nil {}
            #expect(try writer.read(Version1File.contents) == before)
            #expect(try writer.read { try $0.columns(in: "outbox").contains { $0.name == "owner" } })
            #expect(try writer.read { try $0.tableExists("retired_token") })
            let journal = try Journal(beast, Version1File.configuration)
            try journal.expectSound()
            // Look-ups that only the new schema can answer.
            #expect(try journal.search("日本") == [3])
            let home = DisplayLocation(name: "Home", latitude: 50.0004, longitude: 8, source: .ohai)
            #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, at: home)) } == [2])
            let outbox = try writer.read {
                try String.fetchAll(
                    $0,
                    sql: "SELECT m.client_token FROM outbox JOIN message m USING (local_id) ORDER BY queue_seq"
                )
            }
            #expect(outbox == ["token-1", "token-2", "token-3", "token-4"])
            try writer.close()
        }
    }

    @Test("an interrupted migration leaves the old schema, and is done at the next opening")
    func interruption() throws {
        try withCopy { path in
            let old = try DatabaseQueue(path: path)
            // The last step of the migration fails.
            try old.write { try $0.execute(sql: "CREATE TABLE message_cjk (a)") }
            try old.close()
            let error = #expect(throws: MessageBeastError.self) { try BeastDatabase.open(path, account: "1") }
            #expect(error?.kind == .databaseFailed)
            let between = try DatabaseQueue(path: path)
            try between.write { database in
                #expect(try !database.tableExists("retired_token"))
                #expect(try !database.tableExists("location_rtree"))
                #expect(try !database.columns(in: "outbox").contains { $0.name == "owner" })
                #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
                try database.execute(sql: "DROP TABLE message_cjk")
            }
            try between.close()
            let beast = try BeastDatabase.open(path, account: "1")
            #expect(try beast.access.database.read { try $0.tableExists("retired_token") })
            try beast.access.database.close()
        }
    }

    @Test("an empty database has the schema of a migrated one")
    func sameSchema() throws {
        try withCopy { path in
            let beast = try BeastDatabase.open(path, account: "1")
            try Journal(beast, Version1File.configuration).upgrade()
            let migrated = beast.access.database
            let fresh = try BeastDatabase.memory(account: "1").access.database
            let schema = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
            #expect(
                try migrated.read { try String.fetchAll($0, sql: schema) }
                    == fresh.read { try String.fetchAll($0, sql: schema) }
            )
            try migrated.close()
        }
    }
    @Test("an engine stops and writes nothing if a newer version migrates its open file", .behaviour(132))
    func supersededWhileOpen() async throws {
        let folder = try TemporaryFolder()
        let world = try await BeastWorld()
        let manager = try world.manager(.file(folder.path("beast.sqlite")))
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        // Another process, with a newer version of the library.
        let newer = try DatabaseQueue(path: folder.path("beast.sqlite"))
        try await newer.write { database in
            try database.execute(
                sql: """
                    ALTER TABLE message RENAME COLUMN json TO document;
                    INSERT INTO grdb_migrations (identifier) VALUES ('messagebeast-99')
                    """
            )
        }
        let before = try await newer.read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        let requests = world.wire.requests.count
        let calls: [() async throws -> Void] = [
            { _ = try await manager.create(Message(text: "lost"), in: channel) },
            { try await manager.delete(1) }, { _ = try await manager.fetchNewest(in: channel) },
            { _ = try await manager.page(of: channel, limit: 10) }, { try await manager.sendAll(in: channel) },
            { _ = try await manager.check() }, { try await manager.wipe() },
        ]
        for call in calls {
            let error = await #expect(throws: MessageBeastError.self) { try await call() }
            #expect(error?.kind == .superseded)
        }
        #expect(world.wire.requests.count == requests)
        #expect(try await newer.read { try Int.fetchOne($0, sql: "PRAGMA data_version") } == before)
        #expect(try await newer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") } == 3)
        await manager.stop()
        try newer.close()
    }
}
