import AppNet
import Foundation
import GRDB
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Actions on copies, and in two channels")
struct ActionCopyTests {
    /// Creates a message whose request the network delivers twice, so that the device has the higher id.
    private func twice(by device: ActionWorld) async throws -> (lower: Message.ID, higher: Message.ID) {
        let target = try await device.unsent("Tea")[0]
        device.world.wire.repeatPosts(times: 1)
        try await device.manager.sendAll(in: device.journal)
        device.world.wire.set(nil)
        let copies = try await device.world.client.messages.list(in: device.journal).page().elements.compactMap(\.id)
        let (lower, higher) = (try #require(copies.last), try #require(copies.first))
        #expect(lower != higher)
        #expect(try await device.id(target) == higher)
        return (lower, higher)
    }

    private func expectEnd(_ device: ActionWorld, on lower: Message.ID) async throws {
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.targets() == [lower])
        #expect(try await device.actions.isActioned(lower, in: device.favorites))
        #expect(try await device.actions.count(in: device.favorites) == 1)
        #expect(try await device.actions.actionedMessages(in: device.favorites).map(\.message.id) == [lower])
        let live = try await device.world.client.messages.list(in: device.journal).page().elements
        #expect(live.filter { $0.isDeleted != true }.map(\.id) == [lower])
        #expect(try await device.manager.check() == [])
    }

    @Test("the action on a copy moves to the copy that remains")
    func moved() async throws {
        let device = try await ActionWorld()
        let (lower, higher) = try await twice(by: device)
        try await device.actions.apply(device.favorites, to: higher)
        try await device.sendAll()
        #expect(try await device.targets() == [higher])
        _ = try await device.manager.fetchNewest(in: device.journal)
        #expect(try await device.actions.isActioned(lower, in: device.favorites))
        try await device.sendAll()
        try await expectEnd(device, on: lower)
        await device.manager.stop()
    }

    @Test("an unsent action on a copy is sent for the copy that remains")
    func movedUnsent() async throws {
        let device = try await ActionWorld()
        let (lower, higher) = try await twice(by: device)
        let posted = PostedTargets()
        device.world.wire.set { posted.note($0) }
        try await device.actions.apply(device.favorites, to: higher, sendsImmediately: false)
        _ = try await device.manager.fetchNewest(in: device.journal)
        try await device.sendAll()
        #expect(posted.all == [lower])
        try await expectEnd(device, on: lower)
        await device.manager.stop()
    }

    @Test("an action that is being posted for a copy ends on the copy that remains")
    func movedWhilePosting() async throws {
        let device = try await ActionWorld()
        let (lower, higher) = try await twice(by: device)
        let gate = Signal<Void>()
        device.world.wire.holdResponses(until: gate)
        try await device.actions.apply(device.favorites, to: higher)
        try await eventually { device.world.wire.heldResponses == 1 }
        _ = try await device.manager.fetchNewest(in: device.journal)
        #expect(try await device.actions.isActioned(lower, in: device.favorites))
        device.world.wire.set(nil)
        gate.settle()
        try await device.sendAll()
        try await expectEnd(device, on: lower)
        await device.manager.stop()
    }

    @Test("a device that has the lower copy takes over the action on the higher one")
    func takenOver() async throws {
        let first = try await ActionWorld()
        let (lower, higher) = try await twice(by: first)
        try await first.actions.apply(first.favorites, to: higher)
        try await first.sendAll()
        let second = try await first.otherDevice()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        _ = try await second.manager.fetchNewest(in: second.journal)
        #expect(try await second.actions.isActioned(lower, in: second.favorites))
        try await second.sendAll()
        try await expectEnd(second, on: lower)
        // The first device does the same, and nothing is on twice or off.
        _ = try await first.manager.fetchNewest(in: first.journal)
        try await first.sendAll()
        for device in [first, second] { _ = try await device.manager.fetchNewest(in: device.favorites) }
        for device in [first, second] {
            #expect(try await device.actions.isActioned(lower, in: device.favorites))
            await device.manager.stop()
        }
    }

    @Test("an action that arrives after its copy was deleted moves to the copy that remains")
    func movedLater() async throws {
        let first = try await ActionWorld()
        let (lower, higher) = try await twice(by: first)
        try await first.actions.apply(first.favorites, to: higher)
        try await first.sendAll()
        let second = try await first.otherDevice()
        _ = try await second.manager.fetchNewest(in: second.journal)
        try await second.sendAll()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        #expect(try await second.actions.isActioned(lower, in: second.favorites))
        try await second.sendAll()
        try await expectEnd(second, on: lower)
        // The id of the deleted copy finds the message that remains.
        #expect(try await second.id(higher) == lower)
        // The first device has lost the copy and its action, and receives those that remain.
        for channel in [first.journal, first.favorites] {
            _ = try await first.manager.reconcile(channel)
            _ = try await first.manager.fetchNewest(in: channel)
        }
        try await first.sendAll()
        #expect(try await first.actions.isActioned(lower, in: first.favorites))
        #expect(Set(try await first.targets()) == [lower])
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("the actions on a missing copy move to the copy that arrives later", arguments: [true, false])
    func movedToSuccessor(isSent: Bool) async throws {
        let device = try await ActionWorld()
        let (lower, higher) = try await twice(by: device)
        try await device.actions.apply(device.favorites, to: higher, sendsImmediately: isSent)
        if isSent { try await device.sendAll() }
        // Another device has kept the lower one.
        try await device.world.client.messages.delete(higher, in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        #expect(try await device.actions.count(in: device.favorites) == 0)
        _ = try await device.manager.fetchNewest(in: device.journal)
        #expect(try await device.actions.isActioned(lower, in: device.favorites))
        try await device.sendAll()
        try await expectEnd(device, on: lower)
        await device.manager.stop()
    }

    @Test("an action that is removed from a missing copy does not return on the copy that arrives later")
    func removedFromMissing() async throws {
        let device = try await ActionWorld()
        let (lower, higher) = try await twice(by: device)
        try await device.actions.apply(device.favorites, to: higher)
        try await device.sendAll()
        try await device.world.client.messages.delete(higher, in: device.journal)
        _ = try await device.manager.reconcile(device.journal)
        #expect(try await device.actions.remove(device.favorites, from: higher))
        _ = try await device.manager.fetchNewest(in: device.journal)
        try await device.sendAll()
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.id(higher) == lower)
        #expect(try await device.actions.isActioned(lower, in: device.favorites) == false)
        #expect(try await device.targets() == [])
        await device.manager.stop()
    }

    /// Returns a message of the service, of which those with other ids are copies.
    private func copy(_ id: Int) -> Message {
        var message = Journal.message(id, "Tea")
        message.annotations = [Annotation(type: MessageBeastNames.token, value: ["token": "token"])]
        return message
    }

    @Test("a message that was missing for a time gets its actions again, and an action on it is not replaced")
    func missingForATime() throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        try journal.store([Journal.action(40, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == [])
        try journal.store([copy(20)])
        try journal.store([Journal.action(50, on: 20)], in: Journal.actions)
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["20", "20"])
        #expect(try journal.sql("SELECT message_id FROM pending_message_deletion", as: String.self) == [])
        #expect(try journal.sql("SELECT count(*) FROM outbox", as: Int.self) == [0])
        #expect(try journal.sql("SELECT id FROM former_id", as: String.self) == [])
        try journal.expectSound()
    }

    @Test("an action that another device removed from a missing copy does not return on the copy that arrives later")
    func removedElsewhere() throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        try journal.store([Journal.action(40, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        try journal.store([Message(id: 40, isDeleted: true)], in: Journal.actions)
        _ = try journal.woken()
        try journal.store([copy(10)])
        #expect(try journal.woken() == [])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == [])
        #expect(try journal.sql("SELECT count(*) FROM outbox", as: Int.self) == [0])
        #expect(try journal.sql("SELECT key FROM meta WHERE key LIKE 'missing%'", as: String.self) == [])
        try journal.expectSound()
    }

    @Test("an action that arrives between two tombstones of a copy moves to the copy that arrives later")
    func repeatedTombstone() throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        try journal.store([Journal.action(40, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        try journal.store([Journal.action(50, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == [])
        _ = try journal.woken()
        try journal.store([copy(10)])
        #expect(try journal.woken() == [.channel(Journal.actions)])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["10"])
        let deletions = try journal.sql(
            "SELECT message_id FROM pending_message_deletion ORDER BY queue_seq",
            as: String.self
        )
        #expect(deletions == ["40", "50"])
        try journal.expectSound()
    }

    @Test(
        "the first action on a copy that is missing already moves to the copy that arrives later, unless it is removed",
        arguments: [nil, 40, 50]
    )
    func firstActionOnMissing(removed: Int?) throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        for id in [40, 50] {
            try journal.store([Message(id: 20, isDeleted: true)])
            try journal.store([Journal.action(id, on: 20)], in: Journal.actions)
        }
        try journal.store([Message(id: 20, isDeleted: true)])
        // Another device has removed one of the two, and has not known of the other.
        if let removed { try journal.store([Message(id: Message.ID(removed), isDeleted: true)], in: Journal.actions) }
        let kept = try journal.sql("SELECT value FROM meta WHERE key = 'missing_actions:20'", as: String.self)
        let left = [40, 50].filter { (id: Int) in id != removed }.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(kept == [#"[{"channel":"200","sent":[\#(left)]}]"#])
        try journal.store([copy(10)])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["10"])
        try journal.expectSound()
    }

    @Test(
        "kept actions that cannot be read stop neither a tombstone nor the copy",
        arguments: ["x'FF'", "'planted'", "7"]
    )
    func unreadable(value: String) throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        try journal.store([Journal.action(40, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        try journal.writer.write { try $0.execute(sql: "UPDATE meta SET value = \(value) WHERE key LIKE 'missing%'") }
        try journal.store([Journal.action(50, on: 20)], in: Journal.actions)
        try journal.store([Message(id: 20, isDeleted: true)])
        try journal.writer.write { try $0.execute(sql: "UPDATE meta SET value = \(value) WHERE key LIKE 'missing%'") }
        try journal.store([copy(10)])
        #expect(try journal.sql("SELECT id FROM message WHERE channel_id = '100'", as: String.self) == ["10"])
        #expect(try journal.sql("SELECT key FROM meta WHERE key LIKE 'missing%'", as: String.self) == [])
        try journal.expectSound()
    }

    @Test("the action on a further copy moves to the copy that remains after another one was missing")
    func movedFromThirdCopy() throws {
        let journal = try Journal()
        try journal.store([copy(20)])
        try journal.store([Message(id: 20, isDeleted: true)])
        try journal.store([copy(10)])
        try journal.store([Journal.action(40, on: 30)], in: Journal.actions)
        _ = try journal.woken()
        try journal.store([copy(30)])
        #expect(try journal.woken() == [.channel(Journal.channel), .channel(Journal.actions)])
        // An action may also arrive later, on each of the copies.
        try journal.store([Journal.action(50, on: 20)], in: Journal.actions)
        let deletions = try journal.sql(
            "SELECT message_id FROM pending_message_deletion ORDER BY queue_seq",
            as: String.self
        )
        #expect(deletions == ["30", "40", "50"])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["10"])
        #expect(try journal.sql("SELECT id FROM former_id ORDER BY id", as: String.self) == ["20", "30"])
        try journal.expectSound()
    }

    @Test("a late response with a lower id than that of the stored copy takes its place")
    func lateResponse() throws {
        let journal = try Journal()
        let localID = try journal.insertUnsent("token", "Tea")
        let row = try #require(try journal.writer.read { try OutboxTable(database: $0).row(localID) })
        try journal.store([copy(20)])
        try journal.store([Journal.action(30, on: 20)], in: Journal.actions)
        /// Handles a response, and returns the loops that it wakes.
        func respond(_ id: Int) throws -> Set<EngineLoop> {
            let message = try IncomingMessage(
                copy(id),
                configuration: journal.configuration,
                now: journal.now.date
            )
            return try journal.writer.write { database in
                _ = try DueRows(database: database).take(by: nil)
                let channel = try ChannelTable(database: database).required(Journal.channel.text)
                let derived = try DerivedRows(
                    database: database,
                    channel: channel,
                    configuration: journal.configuration,
                    now: journal.now
                )
                let late = LateResponse(database: database, channel: channel, derived: derived, random: .seeded(1))
                try late.store(message, of: row)
                return Set(try DueRows(database: database).take(by: nil))
            }
        }
        #expect(try respond(20) == [])
        #expect(try respond(10) == [.channel(Journal.channel), .channel(Journal.actions)])
        #expect(try respond(25) == [.channel(Journal.channel)])
        #expect(try journal.sql("SELECT id FROM message WHERE local_id = \(localID)", as: String.self) == ["10"])
        let deletions = try journal.sql(
            "SELECT message_id FROM pending_message_deletion ORDER BY queue_seq",
            as: String.self
        )
        #expect(deletions == ["20", "30", "25"])
        #expect(try journal.sql("SELECT target_message_id FROM action_spec", as: String.self) == ["10"])
        try journal.expectSound()
    }

    @Test("of two action channels the lower id is used, and gets the actions of the other")
    func duplicateChannels() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let targets = try await world.fill(journal, 4)
        var channels: [AppNetChannel.ID] = []
        for _ in 0..<2 {
            let wanted = WantedChannel.actions(ActionWorld.favorite, target: journal).creation(for: world.account)
            channels.append(try #require(try await world.client.channels.create(wanted).id))
        }
        func post(_ index: Int, to channel: AppNetChannel.ID) async throws {
            var message = Message(isMachineOnly: true)
            message.addTargetMessage(targets[index])
            _ = try await world.client.messages.create(message, in: channel)
        }
        for index in [0, 1] { try await post(index, to: channels[0]) }
        for index in [1, 2, 2, 3] { try await post(index, to: channels[1]) }
        let events = manager.events
        // A look-up that is cut off applies nothing.
        world.wire.fail("channels/\(channels[1])/messages", delivery: .notSent)
        await #expect(throws: AppNetError.self) {
            try await manager.actions.channel(ofType: ActionWorld.favorite, target: journal)
        }
        #expect(try await manager.channels().map(\.id) == [journal])
        world.wire.set(nil)
        let device = try await ActionWorld(of: world, manager)
        #expect(device.favorites == channels[0])
        try await eventually { try await manager.pendingSummary().isEmpty }
        #expect(Set(try await device.targets()) == Set(targets))
        #expect(try await device.live().count == 4)
        // An action that is removed later does not return on a new device.
        #expect(try await device.live(in: channels[1]).isEmpty)
        try await device.actions.remove(device.favorites, from: targets[2])
        try await device.sendAll()
        let second = try await device.otherDevice()
        try await second.manager.fullSync(of: second.favorites).run()
        #expect(try await !second.actions.isActioned(targets[2], in: second.favorites))
        #expect(try await second.manager.pendingSummary().isEmpty)
        await second.manager.stop()
        var iterator = events.makeAsyncIterator()
        let warning = MessageManager.Event.warning(.duplicateChannels(used: channels[0], ignored: [channels[1]]))
        #expect(await iterator.next() == warning)
        await manager.stop()
    }

    @Test("actions of another channel that cannot be decoded are named, and do not stop the look-up")
    func unreadableActions() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await manager.privateChannel(ofType: BeastWorld.journal).id
        var channels: [AppNetChannel.ID] = []
        for _ in 0..<2 {
            let wanted = WantedChannel.actions(ActionWorld.favorite, target: journal).creation(for: world.account)
            channels.append(try #require(try await world.client.channels.create(wanted).id))
        }
        let (used, other) = (channels[0], channels[1])
        let events = manager.events
        let page =
            #"{"meta": {"code": 200, "min_id": "90", "max_id": "90", "more": false}, "data": [{"id": "90", "text": {}}]}"#
        world.wire.set { Wire.line($0).contains("channels/\(other)/messages") ? .respond(.json(page)) : .pass }
        #expect(try await manager.actions.channel(ofType: ActionWorld.favorite, target: journal).id == used)
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
        var ids: [String] = []
        for await event in events {
            if case .warning(.unreadable(let items, in: other)) = event { ids += items.ids }
        }
        #expect(ids == ["90"])
    }
}
