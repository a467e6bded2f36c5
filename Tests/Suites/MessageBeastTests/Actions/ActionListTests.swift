import AppNet
import Foundation
import GRDB
import HeliumDatabase
import HeliumServer
import TestSupport
import Testing

@testable import MessageBeast

/// Counts the transactions that change something.
private final class CommitCounter: TransactionObserver {
    let counter = Counter()

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { counter.increment() }
    func databaseDidRollback(_ database: Database) {}
}

@Suite("Lists of messages with actions")
struct ActionListTests {
    @Test(
        "an action on 210 messages is one transaction, and all of them are listed in spite of equal dates",
        .behaviour(99)
    )
    func batch() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(210)
        let commits = CommitCounter()
        device.manager.writer.add(transactionObserver: commits)
        let applied = try await device.actions.apply(device.favorites, to: targets, sendsImmediately: false)
        #expect(applied == 210)
        #expect(commits.counter.count == 1)
        device.manager.writer.remove(transactionObserver: commits)
        #expect(try await device.actions.actionedMessages(in: device.favorites).count == 210)
        try await device.sendAll()
        let second = try await device.otherDevice()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        try await second.manager.fullSync(of: second.favorites).run()
        #expect(try await second.actions.actionedIDs(among: targets, in: second.favorites) == Set(targets))
        #expect(try await device.actions.remove(device.favorites, from: targets) == 210)
        #expect(try await !device.actions.hasActioned(in: device.favorites))
        for one in [device, second] { await one.manager.stop() }
    }

    @Test("an action that arrives before its message is on, and lists the message when that arrives", .behaviour(100))
    func actionFirst() throws {
        let journal = try Journal()
        try journal.store([Journal.action(9, on: 1)], in: Journal.actions)
        try journal.reading { reader throws in
            #expect(try reader.isActioned("1"))
            #expect(try reader.messages(before: nil, limit: nil) == [])
            #expect(try reader.count() == 1)
        }
        try journal.store([Journal.message(1)])
        #expect(try journal.reading { try journal.ids($0.messages(before: nil, limit: nil)) } == [1])
        try journal.expectSound()
    }

    @Test("an action that arrives before the response of its message lists it", .behaviour(100))
    func actionBeforeAdoption() throws {
        let journal = try Journal()
        try journal.insertUnsent("token", "Tea")
        try journal.store([Journal.action(9, on: 5)], in: Journal.actions)
        var sent = Journal.message(5, "Tea")
        sent.annotations = [Annotation(type: MessageBeastNames.token, value: ["token": "token"])]
        #expect(try journal.store([sent]).adopted.map(\.id) == ["5"])
        #expect(try journal.reading { try journal.ids($0.messages(before: nil, limit: nil)) } == [5])
    }

    @Test("a list has distinct stored messages, newest first, up to its limit", .behaviour(103))
    func distinct() throws {
        let journal = try Journal()
        try journal.store([Journal.message(3), Journal.message(2), Journal.message(1)])
        let actions = [(14, 7), (13, 1), (12, 2), (11, 2), (10, 3)]
        try journal.store(actions.map { Journal.action($0.0, on: $0.1) }, in: Journal.actions)
        try journal.reading { reader throws in
            #expect(try journal.ids(reader.messages(before: nil, limit: 2)) == [3, 2])
            let all = try reader.messages(before: nil, limit: nil)
            #expect(journal.ids(all) == [3, 2, 1])
            #expect(try journal.ids(reader.messages(before: all[1].cursor, limit: 2)) == [1])
            let date = MessageCursor(before: all[0].displayDate)
            #expect(try journal.ids(reader.messages(before: date, limit: nil)) == [2, 1])
            #expect(try reader.messages(before: nil, limit: 0) == [])
            #expect(try reader.count() == 4)
            #expect(throws: MessageBeastError.self) { try reader.messages(before: nil, limit: -1) }
        }
    }

    @Test("one query finds which of many ids have an action", .behaviour(104))
    func batchQuery() throws {
        let journal = try Journal()
        let count = 2000
        let messages = (1...count).reversed().map { Journal.message($0) }
        try journal.store(messages)
        let actioned = stride(from: 2, through: count, by: 2)
        let actions = actioned.reversed().map { Journal.action(count + $0, on: $0) }
        try journal.store(actions, in: Journal.actions)
        let asked = (1...count + 5).map { Message.ID($0) }
        let statements = Counter()
        try journal.writer.write { database in
            let reader = try ActionReader(database: database, channel: Journal.actions)
            database.trace { _ in statements.increment() }
            let found = try reader.actionedIDs(among: asked)
            database.trace(options: [])
            #expect(found == Set(actioned.map { Message.ID($0) }))
        }
        #expect(statements.count == 1)
    }

    @Test("a message without a target in an action channel is stored with a warning, and is no action", .behaviour(105))
    func withoutTarget() async throws {
        let device = try await ActionWorld()
        let events = device.manager.events
        let draft: @Sendable (Int) -> AppNetControl.MessageDraft = { _ in
            .init(text: nil, annotations: [["type": "com.example.other", "value": ["on": true]]])
        }
        let id = try await device.world.fill(device.favorites, 1, draft)[0]
        #expect(try await device.manager.fetchNewest(in: device.favorites).summary?.inserted == 1)
        #expect(try await device.manager.message(id: id) != nil)
        #expect(try await !device.actions.hasActioned(in: device.favorites))
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .warning(.actionWithoutTarget(id, in: device.favorites)))
        await device.manager.stop()
    }

    @Test("deriving all rows again keeps the actions of unsent and of sent messages")
    func derivedAgain() async throws {
        let world = try await BeastWorld()
        let device = try await ActionWorld(of: world, try world.manager { $0.sendsAutomatically = false })
        let target = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: target, sendsImmediately: false)
        try await device.manager.rebuild()
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        device.world.wire.fail("channels/\(device.favorites)/messages")
        try await device.manager.sendAll(in: device.journal)
        try await device.manager.rebuild()
        let id = try await device.id(target)
        #expect(try await device.actions.actionedIDs(among: [id], in: device.favorites) == [id])
        device.world.wire.set(nil)
        try await device.sendAll()
        #expect(try await device.targets() == [id])
        await device.manager.stop()
    }
}

extension Journal {
    /// Reads the actions of the action channel.
    fileprivate func reading<Value>(_ body: (ActionReader) throws -> Value) throws -> Value {
        try writer.read { try body(ActionReader(database: $0, channel: Self.actions)) }
    }
}
