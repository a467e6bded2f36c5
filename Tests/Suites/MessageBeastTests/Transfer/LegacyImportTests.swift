import AppNet
import Foundation
import GRDB
import HeliumCrypto
import HeliumDatabase
import Testing

@testable import MessageBeast

@Suite("Importing a database of AATTMessageManager", .timeLimit(.minutes(5)))
struct LegacyImportTests {
    private struct World {
        let world: BeastWorld
        let folder: TemporaryFolder
        let manager: MessageManager

        var path: String { folder.path("aattadndatabase.sqlite3") }

        /// - Parameter picture: The path of the pending file. Default: `nil`, a file that can be read.
        init(_ legacy: LegacyDatabase, picture: String? = nil) async throws {
            world = try await BeastWorld()
            folder = try TemporaryFolder()
            let readable = folder.path("a picture.jpg")
            try Data("picture".utf8).write(to: URL(fileURLWithPath: readable))
            let picture = picture ?? readable
            try legacy.make(at: folder.path("aattadndatabase.sqlite3"), picture: picture)
            // Nothing is sent between two imports unless a test asks for it.
            manager = try world.manager(.file(folder.path("journal.sqlite"))) { $0.sendsAutomatically = false }
        }

        /// All rows, but for those of the internal tables of indexes.
        func dump() throws -> [String] {
            try manager.writer.read { database in
                let tables = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_words%' ESCAPE '\\'
                            AND name NOT LIKE '%rtree%' ORDER BY name
                        """
                )
                return try tables.flatMap { table in
                    try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table): \($0)" }
                }
            }
        }

        func rows(_ sql: String) throws -> [String] {
            try manager.writer.read { try String.fetchAll($0, sql: sql) }
        }
    }

    private static let channel: AppNetChannel.ID = 100

    @Test(
        "importing an AATTMessageManager database twice changes nothing, and leaves the file unchanged",
        .behaviour(133),
        arguments: [LegacyDatabase.seed, .android]
    )
    func twice(legacy: LegacyDatabase) async throws {
        let world = try await World(legacy)
        let manager = world.manager
        let before = try Data(contentsOf: URL(fileURLWithPath: world.path))
        let summary = try await manager.importLegacy(from: world.path)
        #expect(
            summary
                == LegacySummary(
                    messages: 4,
                    unsent: 3,
                    drafts: legacy.isAndroid ? 1 : 0,
                    deletions: 2,
                    files: 2,
                    unreadable: 1
                )
        )
        let once = try world.dump()
        #expect(try await manager.importLegacy(from: world.path) == LegacySummary(unreadable: 1))
        #expect(try world.dump() == once)
        #expect(try Data(contentsOf: URL(fileURLWithPath: world.path)) == before)
        #expect(try await manager.check() == [])
        // The words of the messages are found, those of stale rows are not.
        func found(_ text: String) async throws -> [String?] {
            try await manager.search(text: text, in: Self.channel).map(\.message.message.id?.text)
        }
        #expect(try await found("cafe") == ["2"])
        #expect(try await found("日本") == ["2"])
        #expect(try await found("ghost") == [])
        #expect(try await found("deleted") == [])
        #expect(try await found("unsent") == [LegacyDatabase.secondTemporaryID, LegacyDatabase.temporaryID])
        #expect(try await manager.hashtags(in: Self.channel).map(\.name) == ["Later", "Tea"])
        #expect(try await found("draft") == [])
        await manager.stop()
    }

    @Test(
        "importing an AATTMessageManager database keeps dates, attempts and order of unsent messages",
        arguments: [LegacyDatabase.seed, .android]
    )
    func outbox(legacy: LegacyDatabase) async throws {
        let world = try await World(legacy)
        try await world.manager.importLegacy(from: world.path)
        let outbox = try world.rows(
            """
            SELECT m.client_token || ' ' || o.state || ' ' || o.attempts || ' ' || m.created_ms || ' '
                || ifnull(o.attempt_cursor, '-') || ' ' || (o.depends_on_local_id IS NOT NULL)
            FROM outbox AS o JOIN message AS m USING (local_id) ORDER BY queue_seq
            """
        )
        #expect(
            outbox == [
                "\(LegacyDatabase.temporaryID) sending 3 1400000008500 - 0",
                "\(LegacyDatabase.secondTemporaryID) sending 0 1400000009500 - 0",
                "\(LegacyDatabase.actionID) sending 0 1400000010000 - 1",
            ]
        )
        let dates = try world.rows(
            "SELECT created_ms FROM message WHERE kind = 'sent' AND channel_id = '100' ORDER BY id"
        )
        #expect(dates == ["1400000001250", "1400000002250", "1400000003250"])
        #expect(try world.rows("SELECT message_id FROM pending_message_deletion ORDER BY queue_seq") == ["4", "5"])
        #expect(try world.rows("SELECT file_id FROM pending_file_deletion") == ["70"])
        let drafts = try world.rows("SELECT id FROM message WHERE kind = 'draft'")
        #expect(drafts == (legacy.isAndroid ? ["draft-1"] : []))
        await world.manager.stop()
    }

    @Test(
        "importing an AATTMessageManager database copies pending files, and parks those without a source",
        arguments: [LegacyDatabase.seed, .android]
    )
    func files(legacy: LegacyDatabase) async throws {
        let world = try await World(legacy)
        try await world.manager.importLegacy(from: world.path)
        let files = try world.rows(
            """
            SELECT id || ' ' || state || ' ' || byte_count || ' ' || attempts || ' ' || ifnull(last_error, '-') || ' ' || sha256
            FROM pending_file ORDER BY id
            """
        )
        let hash = SHA256.hash("picture".utf8).hex
        let missing = "fileMissing: the file was not found, or cannot be read"
        #expect(files == ["file-1 waiting 7 1 - \(hash)", "file-2 parked 0 0 \(missing) "])
        let staged = try #require(try world.rows("SELECT staged_path FROM pending_file WHERE id = 'file-1'").first)
        let copy = world.folder.path("journal.sqlite-files/\(staged)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("picture".utf8))
        let attachments = try world.rows(
            "SELECT position || ' ' || pending_file_id || ' ' || is_oembed FROM pending_file_attachment ORDER BY position"
        )
        #expect(attachments == ["0 file-2 0", "1 file-1 1"])
        await world.manager.stop()
    }

    /// Linux opens this file and cannot read it: the first page of a process is not mapped.
    @Test(
        "parks a file that cannot be read to its end, and keeps no part of it",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"))
    )
    func unreadableFile() async throws {
        let world = try await World(.seed, picture: "/proc/self/mem")
        #expect(try await world.manager.importLegacy(from: world.path).files == 2)
        let files = try world.rows("SELECT id || ' ' || state || ' ' || byte_count FROM pending_file ORDER BY id")
        #expect(files == ["file-1 parked 0", "file-2 parked 0"])
        let staged = try? FileManager.default.contentsOfDirectory(atPath: world.folder.path("journal.sqlite-files"))
        #expect((staged ?? []) == [])
        await world.manager.stop()
    }

    @Test(
        "importing an AATTMessageManager database imports places, names of coordinates and actions",
        arguments: [LegacyDatabase.seed, .android]
    )
    func places(legacy: LegacyDatabase) async throws {
        let world = try await World(legacy)
        let manager = world.manager
        try await manager.importLegacy(from: world.path)
        let found = try await manager.places(matching: "laumer", includesUnused: true)
        #expect(found.map(\.place.latitude) == [50.11937])
        let third = try await manager.message(id: "3")
        #expect(third?.displayLocation?.name == "Bockenheim, Frankfurt")
        let specs = try world.rows(
            """
            SELECT m.id || ' ' || s.action_channel_id || ' ' || s.target_message_id || ' ' || s.target_channel_id || ' '
                || (s.target_local_id IS NOT NULL)
            FROM action_spec AS s JOIN message AS m ON m.local_id = s.action_local_id ORDER BY s.action_local_id
            """
        )
        // The spec of the message 21, which is not there, was dropped.
        #expect(
            specs == ["20 200 1 100 1", "\(LegacyDatabase.actionID) 200 \(LegacyDatabase.temporaryID) 100 1"]
        )
        #expect(try world.rows("SELECT kind || target_channel_id FROM channel WHERE id = '200'") == ["action100"])
        await manager.stop()
    }

    @Test("importing again does not restore messages that were sent or deleted since")
    func later() async throws {
        let world = try await World(.seed)
        let manager = world.manager
        try await manager.importLegacy(from: world.path)
        try await manager.writer.write { database in
            // As if it had been sent.
            try database.execute(
                sql: "UPDATE message SET id = '50', kind = 'sent', sort_key = 50 WHERE id = ?",
                arguments: [LegacyDatabase.temporaryID]
            )
            try database.execute(
                sql: "DELETE FROM outbox WHERE local_id = (SELECT local_id FROM message WHERE id = '50')"
            )
        }
        try await manager.delete(Message.ID(LegacyDatabase.secondTemporaryID))
        try await manager.writer.write {
            try $0.execute(sql: "UPDATE message SET text = text, json = json WHERE id = '1'")
        }
        #expect(try await manager.importLegacy(from: world.path) == LegacySummary(unreadable: 1))
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("importing another database or a damaged one is refused, and nothing is imported")
    func refused() async throws {
        let world = try await World(.seed)
        let other = world.folder.path("other.sqlite")
        let queue = try DatabaseQueue(path: other)
        try await queue.write { try $0.execute(sql: "CREATE TABLE messages (a)") }
        try queue.close()
        let text = world.folder.path("text")
        try Data(repeating: 120, count: 5000).write(to: URL(fileURLWithPath: text))
        for (path, kind) in [
            (other, MessageBeastError.Kind.notADatabase), (text, .notADatabase),
            (world.folder.path("none"), .cannotOpen),
        ] {
            let error = await #expect(throws: MessageBeastError.self) {
                try await world.manager.importLegacy(from: path)
            }
            #expect(error?.kind == kind)
        }
        #expect(try world.rows("SELECT id FROM message") == [])
        await world.manager.stop()
    }
}
