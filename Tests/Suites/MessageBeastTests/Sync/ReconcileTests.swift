import AppNet
import Foundation
import HeliumCore
import HeliumServer
import HeliumTesting
import Testing

@testable import MessageBeast

@Suite("Deletions on the service, and refreshing")
struct ReconcileTests {
    @Test("a message that another device has deleted disappears", .behaviour(28))
    func deletedElsewhere() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(5, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        try await world.client.messages.delete(Message.ID(ids[1]), in: channel)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await world.stored(channel, by: manager) == ids)
        let summary = try await manager.reconcile(channel)
        #expect(summary == ReconcileSummary(checked: 5, removed: 1))
        #expect(try await world.stored(channel, by: manager) == ids.filter { $0 != ids[1] })
        #expect(try await manager.hashtags(in: channel).first?.messageIDs.count == 4)
        #expect(try await manager.check() == [])
    }

    @Test("a failed comparison with the service removes nothing", .behaviour(28))
    func failed() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(5, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        try await world.client.messages.delete(Message.ID(ids[1]), in: channel)
        world.wire.fail("ids=")
        await #expect(throws: AppNetError.self) { try await manager.reconcile(channel) }
        #expect(try await world.stored(channel, by: manager) == ids)
    }

    @Test("an interrupted comparison with the service continues where it was")
    func interrupted() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(450, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager)
        try await world.client.messages.delete(Message.ID(ids[0]), in: channel)
        world.wire.fail("\(ids[0])")
        await #expect(throws: AppNetError.self) { try await manager.reconcile(channel) }
        world.wire.set(nil)
        world.wire.forget()
        #expect(try await manager.reconcile(channel) == ReconcileSummary(checked: 50, removed: 1))
        #expect(world.wire.requests.count == 1)
        // The next one begins with the oldest message again.
        #expect(try await manager.reconcile(channel).checked == 449)
    }

    @Test("messages are checked one by one if the service's list lacks most of them")
    func mostMissing() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(4, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.stored(channel, by: manager)
        try await world.client.messages.delete(Message.ID(ids[1]), in: channel)
        world.wire.set { request in
            Wire.line(request).contains("ids=") ? .respond(.json(#"{"meta": {"code": 200}, "data": []}"#)) : .pass
        }
        world.wire.forget()
        #expect(try await manager.reconcile(channel) == ReconcileSummary(checked: 4, removed: 1))
        #expect(world.wire.requests.count == 5)
        #expect(try await world.stored(channel, by: manager) == ids.filter { $0 != ids[1] })
    }

    @Test("refreshing a message that the service lacks removes it", .behaviour(29), arguments: [true, false])
    func gone(_ isStub: Bool) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(2, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let id = Message.ID(try #require(try await world.stored(channel, by: manager).first))
        let stub =
            #"{"meta": {"code": 200}, "data": {"id": "\#(id)", "channel_id": "\#(channel)", "is_deleted": true}}"#
        let missing = #"{"meta": {"code": 404, "error_message": "Not Found"}}"#
        world.wire.set { _ in .respond(isStub ? .json(stub) : .json(missing, status: 404)) }
        #expect(try await manager.refresh(id, in: channel) == .gone)
        #expect(try await manager.message(id: id) == nil)
        #expect(try await world.stored(channel, by: manager).count == 1)
    }

    @Test("refreshing a message in another channel than its own is an error, and neither asks for nor changes anything")
    func otherChannel() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (manager, world) = (device.manager, device.world)
        let sent = try #require(try await device.sent(1).first)
        let unsent = try #require(try await device.unsent("Tea").first)
        let before = try await manager.page(of: device.journal).messages
        world.wire.forget()
        for id in [sent, unsent] {
            let error = await #expect(throws: MessageBeastError.self) {
                try await manager.refresh(id, in: device.favorites)
            }
            #expect(error?.kind == .invalidArgument)
        }
        #expect(world.wire.requests == [])
        #expect(try await manager.page(of: device.journal).messages == before)
        await manager.stop()
    }

    @Test("a refreshed message has exactly its new hashtags", .behaviour(30))
    func tags() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(1, of: manager) { _ in .init(text: "A #cat") }
        _ = try await manager.fetchNewest(in: channel)
        let id = Message.ID(try #require(try await world.stored(channel, by: manager).first))
        let changed = """
            {"meta": {"code": 200}, "data": {"id": "\(id)", "channel_id": "\(channel)", "text": "A #dog", "entities": {
                "hashtags": [{"name": "dog", "pos": 2, "len": 4}]}}}
            """
        world.wire.set { _ in .respond(.json(changed)) }
        _ = try await manager.refresh(id, in: channel)
        #expect(try await manager.hashtags(in: channel).map(\.name) == ["dog"])
        #expect(try await manager.messages(in: channel, hashtag: "cat") == [])
        #expect(try await manager.search(text: "cat", in: channel) == [])
    }

    @Test("many messages are refreshed with 200 ids in a request", .behaviour(31))
    func batches() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(450, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager).map { Message.ID($0) }
        world.wire.forget()
        #expect(try await manager.refresh(ids + [999_999], in: channel).count == 450)
        let counts = world.wire.requests.map { $0.components(separatedBy: "%2C").count + $0.filter { $0 == "," }.count }
        #expect(counts.sorted() == [51, 200, 200])
    }

    @Test("a refresh that returns another message is refused")
    func otherMessage() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(1, of: manager)
        let other = #"{"meta": {"code": 200}, "data": {"id": "77", "channel_id": "\#(channel)", "text": "a"}}"#
        world.wire.set { _ in .respond(.json(other)) }
        let error = await #expect(throws: MessageBeastError.self) { try await manager.refresh(76, in: channel) }
        #expect(error?.kind == .protocolViolation)
    }

    @Test("retention removes the messages with the oldest display dates here only, and no unsent ones")
    func retention() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(10, of: manager) { number in
            .init(
                text: "Message \(number)",
                created: Date(timeIntervalSince1970: 1_699_000_000 + Double(number) * 100_000)
            )
        }
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager)
        try await manager.insertUnsent(in: channel)
        #expect(try await manager.apply(MessageRetention(maximumCount: 7), to: channel) == 3)
        #expect(try await manager.apply(MessageRetention(maximumAge: .seconds(450_000)), to: channel) == 3)
        #expect(try await manager.apply(MessageRetention(), to: channel) == 0)
        #expect(try await manager.page(of: channel).messages.count { !$0.isUnsent } == 4)
        #expect(try await manager.page(of: channel).messages.count(where: \.isUnsent) == 1)
        #expect(try await manager.apply(MessageRetention(maximumCount: 0), to: channel) == 4)
        // The service has them all.
        #expect(try await world.client.messages.list(in: channel).page().elements.count == ids.count)
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.apply(MessageRetention(maximumCount: -1), to: channel)
        }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("retention keeps young messages by which late copies are recognized")
    func retentionOfYoungMessages() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.repeatPosts(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await manager.apply(MessageRetention(maximumCount: 0), to: channel) == 0)
        _ = try await manager.fetchNewest(in: channel)
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.count == 1)
        #expect(try await manager.page(of: channel).messages.map(\.id) == [created.id])
        world.clock.advance(by: .seconds(3 * 86_400))
        #expect(try await manager.apply(MessageRetention(maximumCount: 0), to: channel) == 1)
        await manager.stop()
    }
}
