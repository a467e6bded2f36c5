import AppNet
import Foundation
import GRDB
import HeliumDatabase
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Engines that only read", .timeLimit(.minutes(5)))
struct ReadOnlyTests {
    /// Calls `body` while another connection has a write transaction that does not end, like that of a suspended process.
    private func withStoppedWriter(_ path: String, _ body: () async throws -> Void) async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        do {
            try await body()
        } catch {
            Issue.record(error)
        }
        try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try writer.close()
    }

    @Test("an engine that only reads opens, reads, searches, checks and exports while a writer is stopped")
    func reading() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let world = try await BeastWorld()
        let first = try world.manager(.file(path))
        let channel = try await world.filledJournal(5, of: first)
        try await first.fullSync(of: channel).run()
        try await first.start()
        await first.stop()
        try first.context.database.access.close()
        try await withStoppedWriter(path) {
            let manager = try world.manager(.file(path)) { $0.isReadOnly = true }
            try await manager.start()
            #expect(try await manager.page(of: channel, limit: nil).messages.count == 5)
            #expect(try await manager.search(text: "message", in: channel).count == 5)
            #expect(try await manager.hashtags(in: channel).count == 1)
            #expect(try await manager.check() == [])
            #expect(try await manager.export(to: folder.path("export.jsonl")).messages == 5)
            #expect(try await !manager.needsUpgrade())
            #expect(try await !manager.needsDerivation())
            let error = await #expect(throws: MessageBeastError.self) {
                _ = try await manager.create(Message(text: "x"), in: channel)
            }
            #expect(error?.kind == .readOnly)
            await manager.stop()
            try manager.context.database.access.close()
        }
    }

    @Test("starting an engine whose store needs no work does not wait for another writer")
    func starting() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let world = try await BeastWorld()
        let first = try world.manager(.file(path))
        try await first.start()
        try await withStoppedWriter(path) {
            let second = try world.manager(.file(path))
            try await second.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            try await second.start()
            #expect(try await second.check() == [])
            await second.stop()
            try second.context.database.access.close()
        }
        await first.stop()
        try first.context.database.access.close()
    }

    @Test("a check reads one snapshot, and finds no fault while another engine writes")
    func snapshot() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let world = try await BeastWorld()
        let manager = try world.manager(.file(path))
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        let problems = try await manager.context.read { database -> [String] in
            let check = StoreCheck(database: database)
            let before = try check.problems()
            // The writer commits between two reads of the snapshot.
            let other = try DatabaseQueue(path: path)
            try other.write { try $0.execute(sql: "DELETE FROM message_words WHERE rowid = 1") }
            try other.close()
            return try before + check.problems()
        }
        #expect(problems == [])
        #expect(try await manager.check().count == 1)
        await manager.stop()
        try manager.context.database.access.close()
    }

    @Test("a store of the previous schema is read as it is, and one of the first is migrated")
    func olderStores() throws {
        try withTemporaryFile { path in
            let queue = try DatabaseQueue(path: path)
            try queue.write { database in
                try BeastSchema.migrate(database, upTo: "messagebeast-2")
                try MetaTable(database: database).set(.account, "1")
                try database.execute(
                    sql: """
                        PRAGMA application_id = \(BeastSchema.mark.applicationID);
                        PRAGMA user_version = \(BeastSchema.mark.version)
                        """
                )
            }
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
            let beast = try BeastDatabase.open(path, account: nil, isReadOnly: true)
            #expect(beast.account == "1")
            #expect(try beast.access.database.read { try !$0.hasTable("message_words") })
            let found = try beast.access.database.read {
                try MessageReader(database: $0, configuration: .everything).search(text: "word 日本", in: Journal.channel)
            }
            #expect(found == [])
            #expect(try beast.access.database.read { try StoreCheck(database: $0).problems() } == [])
            try beast.access.database.close()
        }
        try withTemporaryFile { path in
            let first = SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-1.sqlite")
            try FileManager.default.copyItem(atPath: first.path, toPath: path)
            let beast = try BeastDatabase.open(path, account: nil, isReadOnly: true)
            #expect(try beast.access.database.read { try $0.hasTable("message_words") })
            for text in ["日本", "語", "first"] {
                let found = try beast.access.database.read {
                    try MessageReader(database: $0, configuration: .everything).search(text: text, in: Journal.channel)
                }
                #expect(found.count == 1, "\(text)")
            }
            try beast.access.database.close()
        }
        try withTemporaryFile { path in
            let error = #expect(throws: MessageBeastError.self) {
                try BeastDatabase.open(path, account: "1", isReadOnly: true)
            }
            #expect(error?.kind == .notFound && !FileManager.default.fileExists(atPath: path))
        }
    }
}
