import AppNet
import Foundation
import GRDB
import HeliumJSON
import Testing

@testable import MessageBeast

@Suite("Storing a page")
struct IngestTests {
    @Test("a stored message keeps every member, also unknown ones, except its position in the list")
    func wholeMessage() throws {
        let journal = try Journal()
        var message = Journal.message(5, "Hello")
        message.paginationID = "77"
        message.extra["mystery"] = ["a": [1, 2.5, nil]]
        message.user = AppNetUser(id: 9, username: "mira")
        message.user?.extra["badge2"] = "x"
        try journal.store([message])
        let stored = try #require(try journal.read { try $0.message(id: 5) })
        message.paginationID = nil
        #expect(stored.message == message)
        #expect(stored.state == .sent && !stored.isUnsent && stored.sendAttemptsCount == 0)
        try journal.expectSound()
    }

    @Test("storing an equal page writes nothing, and notifies no observer", .behaviour(23))
    func unchanged() throws {
        let journal = try Journal()
        let annotations = [LocationTests.ohai("Home", 1, 2, id: "u1"), Journal.mood]
        var page = (1...50).reversed().map { Journal.message($0, "Text #tag\($0) 日本語", annotations: annotations) }
        try journal.store(page)
        let before = try journal.writer.write { $0.totalChangesCount }
        let notifications = Counter()
        let observer = DatabaseRegionObservation(tracking: .fullDatabase)
            .start(in: journal.writer) { _ in
            } onChange: { _ in
                notifications.increment()
            }
        #expect(try journal.store(page) == IngestSummary())
        #expect(try journal.writer.write { $0.totalChangesCount } == before)
        #expect(notifications.count == 0)
        page[7].text = "Another text"
        #expect(try journal.store(page) == IngestSummary(updated: 1))
        #expect(notifications.count == 1)
        observer.cancel()
    }

    @Test("storing an equal message without a creation date writes nothing")
    func noCreationDate() throws {
        var journal = try Journal()
        var message = Journal.message(1)
        message.createdAt = nil
        try journal.store([message])
        journal.now = Milliseconds(journal.now.value + 60_000)
        #expect(try journal.store([message]) == IngestSummary())
    }

    @Test("names and texts with U+0000 are stored whole, although SQLite would cut them")
    func nullCharacters() throws {
        let journal = try Journal()
        var message = Journal.message(1, "one\0two")
        message.entities = Entities(hashtags: [Entities.Hashtag(name: "a\0b"), Entities.Hashtag(name: "a\0c")])
        try journal.store([message])
        #expect(try journal.search("two") == [1])
        #expect(try journal.read { try $0.message(id: 1)?.message.text } == "one\0two")
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [0])
        try journal.expectSound()
    }

    @Test("the actions on a deleted message that was never stored remain, because another device may keep its copy")
    func unknownTarget() throws {
        let journal = try Journal()
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [1])
        var stub = Journal.message(1, nil)
        stub.isDeleted = true
        try journal.store([stub])
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [1])
        #expect(try journal.sql("SELECT count(*) FROM pending_message_deletion") == [0])
    }

    @Test("a changed message keeps its local identity")
    func identity() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2), Journal.message(1, "old words")])
        let before = try #require(try journal.read { try $0.message(id: 1) })
        let summary = try journal.store([Journal.message(1, "new words")])
        let after = try #require(try journal.read { try $0.message(id: 1) })
        #expect(summary == IngestSummary(updated: 1))
        #expect(before.id == after.id && after.message.text == "new words")
        #expect(try journal.search("old") == [] && journal.search("new") == [1])
        try journal.expectSound()
    }

    @Test("a deleted message is removed with everything derived from it", .behaviour(26))
    func tombstone() throws {
        let journal = try Journal()
        let place = Annotation(
            type: MessageBeastNames.ohaiLocation,
            value: ["name": "Home", "latitude": 1, "longitude": 2]
        )
        let mood = Annotation(type: "net.example.mood", value: ["level": 3])
        try journal.store([Journal.message(1, "Text #tag 日本語", annotations: [place, mood])])
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        var stub = Journal.message(1, nil)
        stub.isDeleted = true
        #expect(try journal.store([stub]) == IngestSummary(removed: 1))
        let tables = [
            "hashtag_instance", "annotation_instance", "location_instance", "location_rtree", "action_spec",
            "message_words", "location_words",
        ]
        for table in tables { #expect(try journal.sql("SELECT count(*) FROM \(table)") == [0], "\(table)") }
        #expect(try journal.search("text") == [])
        #expect(try journal.read { try $0.message(id: 1) } == nil)
        // The stub of a message that is not stored leaves nothing either.
        #expect(try journal.store([stub]) == IngestSummary())
        try journal.expectSound()
    }

    @Test("storing a page does not restore a message whose deletion is pending", .behaviour(27))
    func pendingDeletion() throws {
        let journal = try Journal()
        try journal.writer.write {
            try $0.execute(
                sql: "INSERT INTO pending_message_deletion (message_id, channel_id, queue_seq) VALUES ('2', '100', 1)"
            )
        }
        let summary = try journal.store([Journal.message(3), Journal.message(2), Journal.message(1)])
        #expect(summary == IngestSummary(inserted: 2, skipped: 1))
        #expect(try journal.read { try $0.message(id: 2) } == nil)
    }

    @Test("a changed message has exactly the hashtags of its new version", .behaviour(30))
    func changedTags() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "#one #two")])
        try journal.store([Journal.message(1, "#two #three")])
        let tags = try journal.list { try $0.hashtags(in: Journal.channel).map(\.name).sorted() }
        #expect(tags == ["three", "two"])
        try journal.expectSound()
    }

    @Test("messages with equal display dates are all stored", .behaviour(33))
    func equalDates() throws {
        let journal = try Journal()
        let summary = try journal.store([Journal.message(2, at: 5), Journal.message(1, at: 5)])
        #expect(summary.inserted == 2)
        #expect(try journal.read { try journal.ids($0.page(of: Journal.channel, limit: nil).messages) } == [2, 1])
    }

    @Test("ids above 2^31 and 2^53 are ordered as numbers, also in cursors")
    func largeIDs() throws {
        let journal = try Journal()
        let ids = [9_007_199_254_740_993, 9_007_199_254_740_992, 4_294_967_296, 99]
        try journal.store(ids.map { Journal.message($0, at: 1) })
        var listed: [Int] = []
        var cursor: MessageCursor?
        repeat {
            let page = try journal.read { try $0.page(of: Journal.channel, after: cursor, limit: 1) }
            listed += journal.ids(page.messages)
            cursor = page.next
        } while cursor != nil
        #expect(listed == ids)
        let channel = try journal.writer.write { database in
            let table = ChannelTable(database: database)
            var channel = try #require(try table.channel(Journal.channel.text))
            (channel.newestCursor, channel.backfillCursor) = (Int64(ids[0]), Int64(ids[1]))
            try table.setSync(channel)
            return try #require(try table.channel(Journal.channel.text))
        }
        #expect(channel.newestCursor == Int64(ids[0]) && channel.backfillCursor == Int64(ids[1]))
    }

    @Test(
        "a message whose id is not a number is refused",
        arguments: [nil, "", "x1", "-4", "1.5", "99999999999999999999"]
    )
    func invalidID(id: String?) throws {
        let journal = try Journal()
        var message = Journal.message(1)
        message.id = id.map { Message.ID($0) }
        let error = #expect(throws: MessageBeastError.self) { try journal.store([message]) }
        #expect(error?.kind == .protocolViolation)
    }

    @Test("the first of two messages with one id is stored")
    func doubledID() throws {
        let journal = try Journal()
        #expect(try journal.store([Journal.message(1, "first"), Journal.message(1, "second")]).inserted == 1)
        #expect(try journal.search("first") == [1])
        try journal.expectSound()
    }

    @Test(
        "a write that fails at any statement of a page leaves the database unchanged",
        arguments: [
            "BEFORE INSERT ON message WHEN new.id = '3'", "BEFORE INSERT ON hashtag_instance",
            "BEFORE INSERT ON annotation_instance", "BEFORE INSERT ON location_instance", "BEFORE INSERT ON place",
            "BEFORE DELETE ON message", "BEFORE UPDATE OF newest_cursor ON channel",
        ]
    )
    func failure(event: String) throws {
        let journal = try Journal()
        try journal.store([Journal.message(2, "old"), Journal.message(1)])
        try journal.writer.write {
            try $0.execute(sql: "CREATE TRIGGER fail \(event) BEGIN SELECT raise(ABORT, 'no room'); END")
        }
        let before = try journal.dump()
        var stub = Journal.message(1, nil)
        stub.isDeleted = true
        let messages = [
            Journal.message(3, "#new", annotations: [LocationTests.ohai("Home", 1, 2, id: "u1"), Journal.mood]),
            Journal.message(2, "new"), stub,
        ]
        let page = try messages.map {
            try IncomingMessage($0, configuration: journal.configuration, now: journal.now.date)
        }
        #expect(throws: DatabaseError.self) {
            try journal.writer.write { database in
                let channels = ChannelTable(database: database)
                var channel = try #require(try channels.channel(Journal.channel.text))
                let ingest = PageIngest(
                    channel: channel,
                    configuration: journal.configuration,
                    now: journal.now,
                    random: .seeded(1)
                )
                _ = try ingest.store(page, in: database)
                channel.newestCursor = 3
                try channels.setSync(channel)
            }
        }
        #expect(try journal.dump() == before)
        try journal.writer.write { try $0.execute(sql: "DROP TRIGGER fail") }
        try journal.expectSound()
    }

    @Test("a search finds no words of replaced or deleted messages", .behaviour(109))
    func staleWords() throws {
        let journal = try Journal()
        for version in 1...20 { try journal.store([Journal.message(1, "version\(version) 第\(version)版")]) }
        var stub = Journal.message(1, nil)
        stub.isDeleted = true
        try journal.store([stub])
        try journal.store([Journal.message(2, "another")])
        for version in 1...20 { #expect(try journal.search("version\(version)") == []) }
        #expect(try journal.search("第") == [])
        #expect(try journal.search("another") == [2])
        try journal.expectSound()
    }
}

@Suite("Actions in a page")
struct ActionIngestTests {
    @Test("an action that arrives before its target is applied, and finds it later")
    func earlyAction() throws {
        let journal = try Journal()
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        let unresolved = try journal.sql(
            "SELECT target_message_id FROM action_spec WHERE target_local_id IS NULL",
            as: String.self
        )
        #expect(unresolved == ["1"])
        try journal.store([Journal.message(2), Journal.message(1)])
        let targets = try journal.sql(
            "SELECT m.id FROM action_spec JOIN message m ON m.local_id = target_local_id",
            as: String.self
        )
        #expect(targets == ["1"])
        try journal.expectSound()
    }

    @Test("an action without a target is stored, has no spec and is reported")
    func noTarget() throws {
        let journal = try Journal()
        let summary = try journal.store([Journal.action(9, on: nil)], in: Journal.actions)
        #expect(summary == IngestSummary(inserted: 1, withoutTarget: ["9"]))
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [0])
    }

    @Test("deleting an action message removes the action")
    func removedAction() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        var stub = Journal.action(9, on: nil)
        stub.isDeleted = true
        try journal.store([stub], in: Journal.actions)
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [0])
        #expect(try journal.read { try $0.message(id: 1) } != nil)
    }
}
