import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumJSON
import Testing

@testable import MessageBeast

@Suite("Removing messages")
struct RemovalTests {
    private func tombstone(_ journal: Journal, _ id: Int) throws {
        var stub = Journal.message(id, nil)
        stub.isDeleted = true
        try journal.store([stub])
    }

    private func localID(_ journal: Journal, _ id: String) throws -> Int64 {
        try #require(try journal.sql("SELECT local_id FROM message WHERE id = '\(id)'", as: Int64.self).first)
    }

    @Test("removing a message removes unsent actions on it, and unsent replies are sent without it")
    func dependants() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        let target = try localID(journal, "1")
        try journal.insertUnsent("action", "", sequence: 1, dependingOn: target, in: Journal.actions)
        let reply = try journal.insertUnsent("reply", "a reply", sequence: 2, dependingOn: target)
        try journal.insertUnsent("action-2", "", sequence: 3, dependingOn: reply, in: Journal.actions)
        try tombstone(journal, 1)
        #expect(try journal.sql("SELECT id FROM message ORDER BY local_id") == ["reply", "action-2"])
        #expect(try journal.sql("SELECT local_id FROM outbox WHERE depends_on_local_id IS NULL") == [reply])
        #expect(try journal.sql("SELECT token FROM retired_token") == ["action"])
        try journal.expectSound()
    }

    @Test("an action whose request is in flight is hidden until the outcome is known")
    func sending() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        let target = try localID(journal, "1")
        let action = try journal.insertUnsent(
            "action",
            "",
            sequence: 1,
            dependingOn: target,
            in: Journal.actions,
            state: "sending"
        )
        try journal.writer.write {
            try ActionSpecTable(database: $0)
                .insert(ActionSpec(action: action, channel: "200", target: "1", targetChannel: "100"))
        }
        try tombstone(journal, 1)
        #expect(try journal.sql("SELECT cancel_requested FROM outbox") == [1])
        #expect(try journal.sql("SELECT hidden FROM message") == [1])
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [0])
        try journal.expectSound()
    }

    @Test("the token of a removed message that was sent from here is retired with its likeness and creation date")
    func sentToken() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "Hello", annotations: [Journal.mood])])
        try journal.writer.write { try $0.execute(sql: "UPDATE message SET client_token = 'token-1'") }
        try tombstone(journal, 1)
        let record = try journal.writer.read { try RetiredTokenTable(database: $0).record("token-1") }
        let message = Journal.message(1, "Hello", annotations: [Journal.mood])
        #expect(record?.likeness == MessageLikeness(message, channel: "100", isSent: true))
        #expect(record?.channel == "100")
        #expect(record?.claimed == Milliseconds(Journal.start.addingTimeInterval(1)))
    }

    @Test("the token of a removed unsent message is retired with the time of its claim and its likeness")
    func unsentToken() throws {
        let journal = try Journal()
        let localID = try journal.insertUnsent("token-1", "Hello")
        try journal.writer.write { database in
            try database.execute(sql: "UPDATE outbox SET claimed_ms = 77")
            try database.execute(
                sql: """
                    INSERT INTO pending_file (id, staged_path, type, name, mime, is_public, byte_count, sha256, token, state)
                    VALUES ('f', 'f', 't', 'n', 'm', 0, 1, 'a', 'file-token', 'waiting')
                    """
            )
            try database.execute(
                sql:
                    "INSERT INTO pending_file_attachment (local_id, position, pending_file_id, is_oembed) VALUES (?, 0, 'f', 1)",
                arguments: [localID]
            )
            try MessageRemoval(database: database).remove([localID])
        }
        let record = try #require(try journal.writer.read { try RetiredTokenTable(database: $0).record("token-1") })
        var echo = Journal.message(5, "Hello", annotations: [])
        echo.annotations = [
            Annotation(type: MessageBeastNames.oembed, value: ["type": "photo", "url": "https://example.com/a"]),
            Annotation(type: MessageBeastNames.token, value: ["token": "token-1"]),
        ]
        #expect(record.likeness == MessageLikeness(echo, channel: "100", isSent: true))
        #expect(record.claimed == Milliseconds(77))
    }

    @Test("the token of a removed message of another device is retired, but not another user's")
    func otherDevice() throws {
        let journal = try Journal()
        func message(_ id: Int, user: Int) -> Message {
            let token = Annotation(type: MessageBeastNames.token, value: ["token": .string("token-\(id)")])
            var message = Journal.message(id, annotations: [token])
            message.user = AppNetUser(id: AppNetUser.ID(user), username: "user")
            return message
        }
        try journal.store([message(2, user: 7), message(1, user: 1)])
        try tombstone(journal, 1)
        try tombstone(journal, 2)
        #expect(try journal.sql("SELECT token FROM retired_token") == ["token-1"])
    }

    @Test("retention retires no tokens")
    func retention() throws {
        let journal = try Journal()
        let localID = try journal.insertUnsent("token-1", "Hello")
        try journal.writer.write { try MessageRemoval(database: $0).remove([localID], retiresTokens: false) }
        #expect(try journal.sql("SELECT count(*) FROM retired_token") == [0])
        #expect(try journal.sql("SELECT count(*) FROM message") == [0])
    }
}
