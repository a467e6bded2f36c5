import AppNet
import Foundation
import GRDB
import HeliumDatabase
import TestSupport
import Testing

@testable import MessageBeast

@Suite("The upgrade of the indexes of an older store", .timeLimit(.minutes(5)))
struct IndexUpgradeTests {
    private static let texts = ["Café #tag", "日本語 word", "🙂hello", "plain word"]

    /// Three steps for the messages, one for each of the names, and one for each old index.
    private static let stepCount = 11

    /// Makes a store of the second schema with messages and places, and the indexes of that version.
    private static func makeStore(_ path: String, count: Int = 8) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try BeastSchema.migrate(database, upTo: "messagebeast-2")
            try Journal.saveChannels(in: database)
            try MetaTable(database: database).set(.account, "1")
            try MetaTable(database: database).set(.fingerprint, Version1File.configuration.fingerprint)
            for id in 1...count {
                try insert(Journal.message(id, texts[id % texts.count]), id, in: database)
            }
            try database.execute(
                sql: """
                    INSERT INTO location_instance VALUES (1, 'Café 東京', NULL, NULL, 50.0, 8.0, 'ohai');
                    INSERT INTO place VALUES (1, 'u1', 'Café 東京', 50.0, 8.0, 50000, 8000, 1, 2, '{"id":"u1","name":"Café 東京"}');
                    INSERT INTO message_fts (message_fts) VALUES ('rebuild');
                    INSERT INTO location_fts (location_fts) VALUES ('rebuild');
                    INSERT INTO place_fts (place_fts) VALUES ('rebuild');
                    INSERT INTO location_cjk (rowid, pairs) VALUES (1, '東京 京');
                    INSERT INTO place_cjk (rowid, pairs) VALUES (1, '東京 京');
                    INSERT INTO message_cjk (rowid, pairs)
                    SELECT local_id, '日本 本語 語' FROM message WHERE text LIKE '日本語%';
                    PRAGMA application_id = \(BeastSchema.mark.applicationID);
                    PRAGMA user_version = \(BeastSchema.mark.version)
                    """
            )
        }
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
    }

    private static func insert(_ message: Message, _ id: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, json_version, text, json)
                VALUES (?1, '100', ?1, ?1, ?1, 'sent', 1, ?2, ?3)
                """,
            arguments: [id, message.text, try IncomingMessage.text(of: message)]
        )
    }

    /// The searches that the old indexes answered too.
    private func expectFound(_ journal: Journal) throws {
        #expect(try journal.search("cafe") == [8, 4])
        #expect(try journal.search("word") == [7, 5, 3, 1])
        #expect(try journal.search("日本") == [5, 1] && journal.search("日本 word") == [5, 1])
        #expect(try journal.search("語") == [5, 1] && journal.search("本日") == [])
        let ranked = try journal.read { try $0.search(text: "plain word", in: Journal.channel, order: .rank) }
        #expect(Set(journal.ids(ranked.map(\.message))) == [7, 3])
        #expect(try journal.read { try $0.search(pattern: "word NOT plain", in: Journal.channel).count } == 2)
        for text in ["東京", "cafe", "cafe 東"] {
            #expect(try journal.read { try $0.search(placeName: text, in: Journal.channel).count } == 1, "\(text)")
            for unused in [false, true] {
                let places = try journal.writer.read {
                    try PlaceReader(database: $0).places(matching: text, includesUnused: unused)
                }
                #expect(places.count == 1, "\(text)")
            }
        }
    }

    @Test("searches find the same before, between and after the steps of an upgrade, which continues when opened again")
    func steps() throws {
        try withTemporaryFile { path in
            try Self.makeStore(path)
            var steps = 0
            var last: UpgradeProgress?
            while true {
                // Every step is taken by an engine of its own, as if each had been interrupted.
                let journal = try Journal(BeastDatabase.open(path, account: "1"), Version1File.configuration)
                defer { try? journal.writer.close() }
                try expectFound(journal)
                try journal.expectSound()
                guard let progress = try journal.writer.write({ try IndexUpgrade(database: $0).step(count: 3) }) else {
                    break
                }
                steps += 1
                #expect(
                    progress.completedRows >= last?.completedRows ?? 0 && progress.completedRows <= progress.totalRows
                )
                #expect(last?.isComplete != true)
                last = progress
            }
            #expect(last?.isComplete == true)
            #expect(steps == Self.stepCount)
            let journal = try Journal(BeastDatabase.open(path, account: "1"), Version1File.configuration)
            #expect(try journal.search("hello") == [6, 2])
            let old = try journal.sql(
                "SELECT name FROM sqlite_master WHERE name LIKE '%fts%' OR name LIKE '%cjk%'",
                as: String.self
            )
            #expect(old == [])
            #expect(try journal.sql("SELECT count(*) FROM meta WHERE key = 'index_upgrade'") == [0])
            try journal.writer.close()
        }
    }

    @Test("messages that change during an upgrade are found by their new texts only")
    func changes() throws {
        try withTemporaryFile { path in
            try Self.makeStore(path)
            let journal = try Journal(BeastDatabase.open(path, account: "1"), Version1File.configuration)
            _ = try journal.writer.write { try IndexUpgrade(database: $0).step(count: 3) }
            // One in the new index, two in the old one, and a new message.
            try journal.store([
                Journal.message(20, "new Привет"), Journal.message(8, "changed"), Journal.message(4, "changed"),
                Journal.message(1, "changed"),
            ])
            var stub = Journal.message(7, nil)
            stub.isDeleted = true
            try journal.store([stub])
            for _ in 0..<2 {
                #expect(try journal.search("changed") == [8, 4, 1] && journal.search("привет") == [20])
                #expect(try journal.search("cafe") == [] && journal.search("plain") == [3])
                try journal.expectSound()
                try journal.upgrade()
            }
            try journal.writer.close()
        }
    }

    @Test("the start of an engine upgrades its store and reports the progress, and a wipe removes the old indexes")
    func engine() async throws {
        let folder = try TemporaryFolder()
        for wipes in [false, true] {
            let path = folder.path("\(wipes).sqlite")
            try Self.makeStore(path, count: 1200)
            let world = try await BeastWorld()
            let manager = try MessageManager(
                client: world.client,
                account: AppNetUser.ID("1"),
                store: .file(path),
                configuration: Version1File.configuration
            )
            #expect(try await manager.needsUpgrade())
            let events = manager.events
            if wipes { try await manager.wipe() } else { try await manager.start() }
            #expect(try await !manager.needsUpgrade())
            #expect(try await manager.check() == [])
            await manager.stop()
            var progress: [UpgradeProgress] = []
            for await event in events {
                if case .storeUpgrading(let step) = event { progress.append(step) }
            }
            let expected = wipes ? 0 : Self.stepCount
            #expect(progress.count == expected)
            #expect(wipes || progress.last?.isComplete == true)
            try manager.context.database.access.close()
        }
    }
}
