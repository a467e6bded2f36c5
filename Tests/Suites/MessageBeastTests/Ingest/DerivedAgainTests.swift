import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

/// The rows after any history equal those that are derived again from the messages.
@Suite("Deriving again")
struct DerivedAgainTests {
    private func rebuild(_ journal: Journal) throws {
        let derivation = Rederivation(configuration: journal.configuration, now: journal.now)
        try journal.writer.write { database in
            try StoreCheck(database: database).rebuild()
            try MetaTable(database: database).set(.fingerprint, nil)
        }
        while try journal.writer.write({ try derivation.step(in: $0) }) {}
        try journal.expectSound()
    }

    @Test("the action of a cancelled message stays off when all rows are derived again, and can be applied again")
    func cancelled() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        func writer(_ database: Database) throws -> ActionWriter {
            ActionWriter(
                database: database,
                channel: try ChannelTable(database: database).requiredActionChannel("200"),
                configuration: journal.configuration,
                now: journal.now,
                random: .system
            )
        }
        func apply() throws -> Int {
            try journal.writer.write { try writer($0).apply(to: [ActionTarget(serverID: "1", in: $0)]) }
        }
        #expect(try apply() == 1)
        try journal.writer.write { database in
            try database.execute(sql: "UPDATE outbox SET state = 'sending'")
            #expect(try writer(database).remove(from: ["1"]) == 1)
        }
        #expect(try journal.sql("SELECT hidden FROM message WHERE channel_id = '200'") == [1])
        try rebuild(journal)
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [0])
        #expect(try apply() == 1)
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [1])
        try journal.expectSound()
    }

    @Test("a place that was first seen in an unsent message gets the names of later messages, before and after sending")
    func unsentPlace() throws {
        let journal = try Journal()
        func place(_ name: String) -> Annotation { LocationTests.ohai(name, 1, 2, id: "u1") }
        func name() throws -> String? { try journal.writer.read { try PlaceTable(database: $0).place("u1")?.name } }
        try journal.writer.write { database in
            // As an import of a database of AATTMessageManager stores it: it comes from no message.
            let coordinates = try #require(Coordinates(latitude: 1, longitude: 2))
            let imported = PlaceRecord(id: "u1", name: "Imported", coordinates, isCustom: true, json: "{}")
            try PlaceTable(database: database).insertIfMissing(imported)
        }
        #expect(try name() == "Imported")
        let token = Annotation(type: MessageBeastNames.token, value: ["token": "token"])
        let unsent = try UnsentMessage(
            Message(text: "Here", annotations: [place("Unsent"), token]),
            [],
            configuration: journal.configuration,
            now: journal.now
        )
        try journal.writer.write { database in
            let channel = try ChannelTable(database: database).required("100")
            let derived = try DerivedRows(
                database: database,
                channel: channel,
                configuration: journal.configuration,
                now: journal.now
            )
            _ = try OutboxTable(database: database).append(unsent, token: "token", created: journal.now, with: derived)
        }
        #expect(try name() == "Unsent")
        try rebuild(journal)
        #expect(try name() == "Unsent")
        try journal.store([Journal.message(5, annotations: [place("Five")])])
        #expect(try name() == "Five")
        try rebuild(journal)
        #expect(try name() == "Five")
        var sent = Journal.message(6, "Here", annotations: [place("Unsent"), token])
        sent.createdAt = journal.now.date
        #expect(try journal.store([sent]).adopted.map(\.id) == ["6"])
        #expect(try name() == "Unsent")
        try journal.store([Journal.message(7, annotations: [place("Seven")])])
        try journal.store([Journal.message(4, annotations: [place("Four")])])
        #expect(try name() == "Seven")
        try rebuild(journal)
        #expect(try name() == "Seven")
    }

    @Test("a message that was deleted here does not return with a response from before, but a missing one returns")
    func stalePage() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2), Journal.message(1)])
        try journal.writer.write { database in
            let localID = try #require(try MessageTable(database: database).localID(of: 1))
            _ = try MessageDeletion.delete(localID, in: database)
            let deletions = PendingDeletionTable(database: database)
            try deletions.claim("1", owner: "owner")
            try deletions.delete("1")
        }
        try journal.store([Message(id: 2, channelID: Journal.channel, isDeleted: true)])
        #expect(try journal.store([Journal.message(2), Journal.message(1)]).skipped == 1)
        #expect(try journal.sql("SELECT id FROM message", as: String.self) == ["2"])
    }

    @Test("a message that is gone in one channel remains in another")
    func otherChannel() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        // The response to a request for message 1 of the channel of actions.
        #expect(try journal.store([Message(id: 1, isDeleted: true)], in: Journal.actions).removed == 0)
        #expect(try journal.sql("SELECT id FROM message ORDER BY id", as: String.self) == ["1", "9"])
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [1])
    }

    @Test("actions on a missing message are deleted on the service if it was stored here, and remain otherwise")
    func missingTarget() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        try journal.store([Journal.action(9, on: 1), Journal.action(8, on: 2)], in: Journal.actions)
        let stubs = [Message(id: 2, isDeleted: true), Message(id: 1, isDeleted: true)]
        _ = try journal.woken()
        try journal.store(stubs)
        #expect(try journal.woken() == [.channel(Journal.actions)])
        #expect(try journal.sql("SELECT message_id FROM pending_message_deletion", as: String.self) == ["9"])
        // Message 2 may be a copy of one that another device keeps.
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["2"])
        try rebuild(journal)
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["2"])
        _ = try journal.woken()
        try journal.store([Journal.message(3)])
        #expect(try journal.woken() == [])
    }

    @Test("an action that arrives on a missing message is deleted when its channel lacks the message again")
    func actionOnMissing() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        let stubs = [Message(id: 2, isDeleted: true), Message(id: 1, isDeleted: true)]
        try journal.store(stubs)
        try journal.store([Journal.action(9, on: 1), Journal.action(8, on: 2)], in: Journal.actions)
        func targets() throws -> [String] {
            try journal.writer.read { database in
                try MissingActions(database: database).targets(in: Journal.actions.text).map(\.id.text)
            }
        }
        #expect(try targets() == ["1"])
        // The response to a request for message 1 of the channel of actions.
        try journal.store([Message(id: 1, isDeleted: true)], in: Journal.actions)
        #expect(try journal.sql("SELECT count(*) FROM action_spec") == [2])
        _ = try journal.woken()
        try journal.store(stubs)
        #expect(try journal.woken() == [.channel(Journal.actions)])
        #expect(try journal.sql("SELECT message_id FROM pending_message_deletion", as: String.self) == ["9"])
        // Message 2 was never stored.
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["2"])
        #expect(try targets() == [])
        // Message 1 has no token, so no copy can get the action.
        #expect(try journal.sql("SELECT key FROM meta WHERE key LIKE 'missing%'", as: String.self) == [])
        try journal.expectSound()
    }

    @Test("an action on a missing message whose deletion is queued, or that is a deleted copy, remains")
    func actionOnMissingCopy() throws {
        let journal = try Journal()
        try journal.store([Journal.message(3), Journal.message(2), Journal.message(1)])
        let stubs = [Message(id: 2, isDeleted: true), Message(id: 1, isDeleted: true)]
        try journal.store(stubs)
        try journal.store([Journal.action(9, on: 1), Journal.action(8, on: 2)], in: Journal.actions)
        try journal.writer.write { database in
            try PendingDeletionTable(database: database).insert("1", channel: Journal.channel.text)
            try database.execute(sql: "INSERT INTO former_id SELECT '2', local_id FROM message WHERE id = '3'")
            #expect(try MissingActions(database: database).targets(in: Journal.actions.text).isEmpty)
        }
        try journal.store(stubs)
        #expect(try journal.sql("SELECT target_message_id FROM action_spec ORDER BY 1", as: String.self) == ["1", "2"])
    }

    @Test("an action that another device has applied to a message that was deleted here is deleted, but not on a copy")
    func actionOnDeleted() throws {
        let journal = try Journal()
        try journal.store([Journal.message(3), Journal.message(2), Journal.message(1)])
        try journal.writer.write { database in
            let deletions = PendingDeletionTable(database: database)
            for id in ["1", "2"] {
                let localID = try #require(try MessageTable(database: database).localID(of: Message.ID(id)))
                try MessageDeletion.delete(localID, in: database)
                try deletions.claim(id, owner: "owner")
            }
            // Message 2 is a copy of message 3. The deletion of message 1 is still to be sent.
            try database.execute(
                sql: "INSERT INTO former_id SELECT '2', local_id FROM message WHERE id = '3'"
            )
            try deletions.delete("2")
        }
        try journal.store([Journal.action(9, on: 1), Journal.action(8, on: 2)], in: Journal.actions)
        func deletions() throws -> [String] {
            try journal.sql(
                "SELECT message_id FROM pending_message_deletion WHERE channel_id = '200' ORDER BY queue_seq",
                as: String.self
            )
        }
        #expect(try deletions() == ["8"])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec ORDER BY 1", as: String.self) == ["1", "3"])
        try journal.writer.write { database in
            try PendingDeletionTable(database: database).delete("1")
            try MessageRemoval(database: database).removeActions(onDeleted: ["1"])
        }
        #expect(try deletions() == ["8", "9"])
        try journal.store([Journal.action(10, on: 1)], in: Journal.actions)
        #expect(try deletions() == ["8", "9", "10"])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["3"])
    }

    @Test("a message whose deletion was given up is not stored again, and actions of other devices on it remain")
    func givenUp() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        try journal.writer.write { database in
            let localID = try #require(try MessageTable(database: database).localID(of: 1))
            try MessageDeletion.delete(localID, in: database)
            let deletions = PendingDeletionTable(database: database)
            try deletions.claim("1", owner: "owner")
            try deletions.park("1", reason: "refused")
            #expect(try deletions.discard(1))
        }
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        #expect(try journal.sql("SELECT count(*) FROM pending_message_deletion") == [0])
        #expect(try journal.store([Journal.message(1)]).skipped == 1)
        #expect(try journal.sql("SELECT id FROM message", as: String.self) == ["9"])
    }

    @Test("a refused deletion is done when its channel lacks the message, and not when another channel does")
    func refusedDeletion() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1)])
        try journal.writer.write { database in
            let localID = try #require(try MessageTable(database: database).localID(of: 1))
            try MessageDeletion.delete(localID, in: database)
            let deletions = PendingDeletionTable(database: database)
            try deletions.claim("1", owner: "owner")
            try deletions.park("1", reason: "refused")
        }
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        func pending() throws -> [String] {
            try journal.sql("SELECT message_id FROM pending_message_deletion ORDER BY 1", as: String.self)
        }
        let stub = Message(id: 1, isDeleted: true)
        #expect(try journal.store([stub], in: Journal.actions).deleted == [])
        #expect(try pending() == ["1"])
        #expect(try journal.store([stub]).deleted == ["1"])
        // The action on it is deleted, too.
        #expect(try pending() == ["9"])
        #expect(try journal.store([Journal.message(1)]).skipped == 1)
    }
}
