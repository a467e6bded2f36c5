import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Deleting messages")
struct DeletionTests {
    private func live(_ channel: AppNetChannel.ID, in world: BeastWorld) async throws -> [Int] {
        try await world.client.messages.list(in: channel).page(PageBounds(count: 200)).elements
            .filter { $0.isDeleted != true }.compactMap { $0.id?.number }
    }

    @Test("an unsent message is deleted without a request", .behaviour(73))
    func unsent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.forget()
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.delete(try #require(created.message.id))
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests == [])
        #expect(try await manager.page(of: channel).messages == [])
        #expect(try await manager.pendingSummary().isEmpty)
        #expect(try await manager.check() == [])
    }

    @Test("a deleted message disappears at once, and from the service when there is a network", .behaviour(27, 74))
    func sent() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file)
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        world.wire.fail("DELETE ")
        try await manager.delete(Message.ID(ids[1]))
        #expect(try await world.stored(channel, by: manager) == [ids[0], ids[2]])
        await manager.stop()
        let second = try world.manager(file)
        #expect(try await second.pendingSummary().deletions == 1)
        // A page that still has it does not bring it back.
        _ = try await second.refresh([Message.ID(ids[1])], in: channel)
        #expect(try await world.stored(channel, by: second) == [ids[0], ids[2]])
        world.wire.set(nil)
        let events = second.events
        try await second.sendAll(in: channel)
        #expect(try await live(channel, in: world) == [ids[0], ids[2]])
        #expect(try await second.pendingSummary().isEmpty)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .deleted(channel, Message.ID(ids[1])))
        await second.stop()
    }

    @Test("a message that is deleted while it is posted ends deleted on the service", .behaviour(75))
    func whilePosting() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.holdResponses(until: gate)
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        try await eventually { world.wire.heldResponses == 1 }
        try await manager.delete(try #require(created.message.id))
        #expect(try await manager.page(of: channel).messages == [])
        gate.settle()
        try await eventually { try await manager.pendingSummary().isEmpty }
        #expect(try await live(channel, in: world) == [])
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.page(of: channel).messages == [])
        await manager.stop()
    }

    @Test("a message that is deleted while its outcome is unknown is looked for until it is known")
    func whileUnknown() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.maximumSendAttempts = 1 }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.set { request in
            guard request.method == .post else { return .pass }
            return .holdFailure(gate, TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost"))
        }
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        try await eventually { world.wire.heldResponses == 1 }
        try await manager.delete(try #require(created.message.id))
        gate.settle()
        try await eventually { try await manager.pendingSummary().isEmpty }
        #expect(try await live(channel, in: world) == [])
        #expect(try await manager.parkedMessages() == [])
        await manager.stop()
    }

    @Test("a deletion that the service has already made is done, and one that it refuses is parked", .behaviour(76))
    func answers() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        world.wire.set { request in
            guard request.method == .delete else { return .pass }
            let status = Wire.line(request).contains("/\(ids[0])") ? 404 : 403
            return .respond(.json(#"{"meta": {"code": \#(status), "error_message": "no"}}"#, status: status))
        }
        for id in ids.prefix(2) { try await manager.delete(Message.ID(id)) }
        try await manager.sendAll(in: channel)
        #expect(try await manager.pendingSummary().deletions == 1)
        #expect(try await manager.fetchNewest(in: channel).summary != nil)
        #expect(try await world.stored(channel, by: manager) == [ids[2]])
        await manager.stop()
    }

    @Test("deletions are sent first, and a failed one does not stop messages", .behaviour(77))
    func order() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        for id in ids.prefix(2) { try await manager.delete(Message.ID(id)) }
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        world.wire.fail("DELETE ")
        world.wire.forget()
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let methods = world.wire.requests.map { $0.prefix(4) }
        #expect(methods == ["DELE", "POST"])
        #expect(world.wire.requests.first?.contains("/messages/\(ids[0])") == true)
        await manager.stop()
    }

    @Test("undoing an unsent deletion restores identity, tags and position of the message", .behaviour(80))
    func undone() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let before = try await manager.page(of: channel).messages
        world.wire.fail("DELETE ")
        let id = try #require(before[1].message.id)
        try await manager.delete(id)
        #expect(try await manager.page(of: channel).messages.count == 2)
        #expect(try await manager.cancelDeletion(of: id))
        #expect(try await manager.page(of: channel).messages == before)
        #expect(try await manager.messages(in: channel, hashtag: "tag").count == 3)
        #expect(try await !manager.cancelDeletion(of: id))
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test(
        "a deletion can be undone after attempts without a network, but not after one that the service may have received",
        arguments: [(DeliveryState.notSent, true), (DeliveryState.maybeSent, false)]
    )
    func undoneAfterAttempts(delivery: DeliveryState, isUndone: Bool) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(1, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let before = try await manager.page(of: channel).messages
        let id = try #require(before.first?.message.id)
        try await manager.delete(id)
        world.wire.fail("DELETE ", times: 1, delivery: delivery)
        try await manager.sendAll(in: channel)
        world.wire.fail("DELETE ")
        try await manager.sendAll(in: channel)
        #expect(try await manager.cancelDeletion(of: id) == isUndone)
        #expect(try await manager.page(of: channel).messages == (isUndone ? before : []))
        #expect(try await manager.pendingSummary().deletions == (isUndone ? 0 : 1))
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("the cost of queuing a deletion does not grow with the number of those that are queued")
    func cost() throws {
        let costs = try [100, 2000].map { count in
            let journal = try Journal()
            try journal.writer.write { database in
                for number in 1...count {
                    try PendingDeletionTable(database: database).insert("\(number)", channel: "100")
                }
            }
            return try journal.steps { try PendingDeletionTable(database: $0).insert("0", channel: "100") }
        }
        #expect(costs[0] == costs[1], "\(costs)")
    }

    @Test("a refused deletion ends when the service no longer has the message, and is done then")
    func refusedAndGone() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (manager, world, journal) = (device.manager, device.world, device.journal)
        let ids = try await device.sent(2)
        world.wire.set { $0.method == .delete ? .respond(.failure(403)) : .pass }
        try await manager.delete(ids[0])
        try await device.sendAll()
        #expect(try await manager.parkedDeletions().map(\.messageID) == [ids[0]])
        world.wire.set(nil)
        try await world.client.messages.delete(ids[0], in: journal)
        let events = manager.events
        #expect(try await manager.refresh(ids[0], in: journal) == .gone)
        #expect(try await manager.parkedDeletions() == [])
        #expect(try await !manager.cancelDeletion(of: ids[0]))
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .deleted(journal, ids[0]))
        #expect(try await manager.page(of: journal).messages.map(\.message.id) == [ids[1]])
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a refused deletion is listed, is sent again when asked, and is given up or undone, by either id")
    func refused() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let temporary = try #require(try await manager.create(Message(text: "Tea #a"), in: channel).message.id)
        try await manager.sendAll(in: channel)
        let before = try await manager.page(of: channel).messages
        let id = try #require(before.first?.message.id)
        world.wire.set { $0.method == .delete ? .respond(.failure(403)) : .pass }
        for way in ["undo", "undo by the temporary id", "retry", "give up"] {
            try await manager.delete(id)
            try await manager.sendAll(in: channel)
            let parked = try await manager.parkedDeletions()
            #expect(parked.map(\.messageID) == [id] && parked.map(\.channelID) == [channel], "\(way)")
            #expect(parked.first?.reason.contains("403") == true && parked.first?.canBeCancelled == true, "\(way)")
            switch way {
            case "undo", "undo by the temporary id":
                #expect(try await manager.cancelDeletion(of: way == "undo" ? id : temporary))
                #expect(try await manager.page(of: channel).messages == before, "\(way)")
                _ = try await manager.fetchNewest(in: channel)
                #expect(try await manager.refresh(id, in: channel) != .gone, "\(way)")
            case "retry":
                try await manager.retryDeletion(of: temporary)
                #expect(try await manager.parkedDeletions() == [])
                try await manager.sendAll(in: channel)
                #expect(try await manager.parkedDeletions() == parked)
                #expect(try await manager.cancelDeletion(of: id))
            default:
                try await manager.discardDeletion(of: id)
                _ = try await manager.fetchNewest(in: channel)
                #expect(try await manager.page(of: channel).messages == [])
                #expect(try await manager.pendingSummary().isEmpty)
            }
        }
        for call in [manager.retryDeletion, manager.discardDeletion] {
            let error = await #expect(throws: MessageBeastError.self) { try await call(id) }
            #expect(error?.kind == .notFound)
        }
        #expect(try await manager.check() == [])
        await manager.stop()
    }
}
