import AppNet
import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Putting actions on messages and taking them off")
struct ActionTests {
    @Test("an action that is applied twice posts one machine-only message, with its target only", .behaviour(93))
    func applied() async throws {
        let device = try await ActionWorld()
        let target = try await device.sent(1)[0]
        #expect(try await device.actions.apply(device.favorites, to: target, sendsImmediately: false))
        #expect(try await !device.actions.apply(device.favorites, to: target, sendsImmediately: false))
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.manager.pendingSummary().actions == 1)
        try await device.sendAll()
        #expect(try await !device.actions.apply(device.favorites, to: target))
        try await device.sendAll()
        let posted = try await device.live()
        #expect(posted.count == 1)
        #expect(posted.first?.text == nil)
        #expect(posted.first?.isMachineOnly == true)
        #expect(posted.first?.targetMessageID == target)
        #expect(posted.first?.firstAnnotation(ofType: MessageBeastNames.displayDate) == nil)
        #expect(try await device.actions.count(in: device.favorites) == 1)
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("concurrent calls apply an action once", .behaviour(93))
    func concurrent() async throws {
        let device = try await ActionWorld()
        let target = try await device.sent(1)[0]
        let changes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await device.actions.apply(device.favorites, to: target) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(changes == 1)
        try await device.sendAll()
        #expect(try await device.live().count == 1)
        await device.manager.stop()
    }

    @Test("the action of an unsent message waits for it, and then has its id on the service", .behaviour(94, 106))
    func unsentTarget() async throws {
        let device = try await ActionWorld()
        let target = try await device.unsent("Tea")[0]
        let posted = PostedTargets()
        device.world.wire.set { posted.note($0) }
        try await device.actions.apply(device.favorites, to: target)
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.actions.actionedMessages(in: device.favorites).map(\.message.id) == [target])
        try await device.manager.sendAll(in: device.favorites)
        #expect(device.world.wire.requests == [])
        try await device.manager.sendAll(in: device.journal)
        // No request is needed: the target's response releases the action.
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        let id = try await device.id(target)
        #expect(posted.all == [id])
        #expect(try await device.targets() == [id])
        #expect(try await device.actions.actionedIDs(among: [target, id], in: device.favorites) == [target, id])
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("of two unsent messages with actions, the one that is sent releases its action", .behaviour(95))
    func oneReleased() async throws {
        let device = try await ActionWorld()
        let targets = try await device.unsent("Tea", "Coffee")
        try await device.actions.apply(device.favorites, to: targets, sendsImmediately: false)
        let posts = Counter()
        device.world.wire.set { request in
            guard request.method == .post, Wire.line(request).contains("channels/\(device.journal)/messages"),
                posts.increment() > 1
            else { return .pass }
            return .respond(.json(#"{"meta": {"code": 403, "error_message": "no"}}"#, status: 403))
        }
        try await device.manager.sendAll(in: device.journal)
        try await eventually { try await device.manager.pendingSummary().actions == 1 }
        #expect(try await device.targets() == [try await device.id(targets[0])])
        #expect(try await device.manager.parkedMessages().map(\.message.message.id) == [targets[1]])
        #expect(try await device.actions.actionedIDs(among: targets, in: device.favorites) == Set(targets))
        await device.manager.stop()
    }

    @Test("an action that was not sent is removed without a request", .behaviour(96), arguments: [true, false])
    func removedUnsent(_ isTargetSent: Bool) async throws {
        let device = try await ActionWorld()
        let target = isTargetSent ? try await device.sent(1)[0] : try await device.unsent("Tea")[0]
        device.world.wire.forget()
        try await device.actions.apply(device.favorites, to: target, sendsImmediately: false)
        #expect(try await device.actions.remove(device.favorites, from: target))
        #expect(try await !device.actions.remove(device.favorites, from: target))
        try await device.manager.sendAll(in: device.favorites)
        #expect(device.world.wire.requests == [])
        #expect(try await !device.actions.isActioned(target, in: device.favorites))
        #expect(try await !device.actions.hasActioned(in: device.favorites))
        #expect(try await device.manager.pendingSummary().actions == 0)
        #expect(try await device.manager.pendingSummary().deletions == 0)
        await device.manager.stop()
    }

    @Test("an action that is removed while it is posted ends removed, here and on the service", .behaviour(97))
    func removedWhilePosting() async throws {
        let device = try await ActionWorld()
        let target = try await device.sent(1)[0]
        let gate = Signal<Void>()
        device.world.wire.holdResponses(until: gate)
        try await device.actions.apply(device.favorites, to: target)
        try await eventually { device.world.wire.heldResponses == 1 }
        #expect(try await device.actions.remove(device.favorites, from: target))
        #expect(try await !device.actions.isActioned(target, in: device.favorites))
        gate.settle()
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.live().isEmpty)
        _ = try await device.manager.fetchNewest(in: device.favorites)
        #expect(try await !device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("an action that is applied again while its removal waits for its post ends applied", .behaviour(97))
    func appliedAgainWhilePosting() async throws {
        let device = try await ActionWorld()
        let target = try await device.sent(1)[0]
        let gate = Signal<Void>()
        device.world.wire.holdResponses(until: gate)
        try await device.actions.apply(device.favorites, to: target)
        try await eventually { device.world.wire.heldResponses == 1 }
        try await device.actions.remove(device.favorites, from: target)
        try await device.actions.apply(device.favorites, to: target)
        gate.settle()
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.targets() == [target])
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        await device.manager.stop()
    }

    @Test("the actions of two devices on one message are both removed", .behaviour(98))
    func twoDevices() async throws {
        let first = try await ActionWorld()
        let target = try await first.sent(1)[0]
        let second = try await first.otherDevice()
        #expect(second.favorites == first.favorites)
        _ = try await second.manager.fetchNewest(in: second.journal)
        for device in [first, second] { try await device.actions.apply(device.favorites, to: target) }
        for device in [first, second] { try await device.sendAll() }
        #expect(try await first.targets() == [target, target])
        _ = try await first.manager.fetchNewest(in: first.favorites)
        #expect(try await first.actions.count(in: first.favorites) == 1)
        #expect(try await first.actions.actionedMessages(in: first.favorites).count == 1)
        try await first.actions.remove(first.favorites, from: target)
        #expect(try await !first.actions.isActioned(target, in: first.favorites))
        try await first.sendAll()
        #expect(try await first.live().isEmpty)
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("a favorite of one device shows on the other, and disappears when it is removed", .behaviour(101))
    func shared() async throws {
        let first = try await ActionWorld()
        let target = try await first.sent(1)[0]
        let second = try await first.otherDevice()
        try await first.actions.apply(first.favorites, to: target)
        try await first.sendAll()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        #expect(try await second.actions.isActioned(target, in: second.favorites))
        // Only the message itself is missing.
        #expect(try await second.actions.actionedMessages(in: second.favorites) == [])
        _ = try await second.manager.fetchNewest(in: second.journal)
        #expect(try await second.actions.actionedMessages(in: second.favorites).map(\.message.id) == [target])
        try await first.actions.remove(first.favorites, from: target)
        try await first.sendAll()
        #expect(try await second.manager.reconcile(second.favorites).removed == 1)
        #expect(try await !second.actions.isActioned(target, in: second.favorites))
        #expect(try await second.actions.actionedMessages(in: second.favorites) == [])
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("a fetch of an action channel compares it with the service once a day", .behaviour(101))
    func comparedDaily() async throws {
        let first = try await ActionWorld()
        let target = try await first.sent(1)[0]
        let second = try await first.otherDevice()
        try await first.actions.apply(first.favorites, to: target)
        try await first.sendAll()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        try await first.actions.remove(first.favorites, from: target)
        try await first.sendAll()
        _ = try await second.manager.fetchNewest(in: second.favorites)
        #expect(try await second.actions.isActioned(target, in: second.favorites))
        second.world.clock.advance(by: .seconds(86_400))
        _ = try await second.manager.fetchNewest(in: second.favorites)
        #expect(try await !second.actions.isActioned(target, in: second.favorites))
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("deleting a message deletes its actions", .behaviour(102))
    func targetDeleted() async throws {
        // An engine that repeats by itself moves the clock past the time limits of the calls beside it.
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let target = try await device.sent(1)[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.sendAll()
        device.world.wire.fail("DELETE ")
        try await device.manager.delete(target)
        #expect(try await !device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.manager.pendingSummary().deletions == 2)
        device.world.wire.set(nil)
        try await device.sendAll()
        #expect(try await device.live().isEmpty)
        #expect(try await device.manager.pendingSummary().isEmpty)
        await device.manager.stop()
    }

    /// The service's knowledge of the action when the deletion is undone.
    enum Progress: CaseIterable { case unsent, sent, deleted }

    @Test(
        "undoing a deletion applies the actions again, whatever the service has of them",
        .behaviour(80),
        arguments: Progress.allCases
    )
    func targetBack(progress: Progress) async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let target = try await device.sent(1)[0]
        try await device.actions.apply(device.favorites, to: target, sendsImmediately: false)
        if progress != .unsent { try await device.sendAll() }
        try await device.manager.delete(target)
        if progress == .deleted {
            try await device.manager.sendAll(in: device.favorites)
            #expect(try await device.live().isEmpty)
        }
        #expect(try await device.manager.cancelDeletion(of: target))
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        try await device.sendAll()
        #expect(try await device.targets() == [target])
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("an action whose removal was refused is on after it is applied again, and its next removal is complete")
    func refusedRemoval() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let target = try await device.sent(1)[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.sendAll()
        device.world.wire.set { $0.method == .delete ? .respond(.failure(403)) : .pass }
        #expect(try await device.actions.remove(device.favorites, from: target))
        try await device.sendAll()
        #expect(try await device.manager.parkedDeletions().count == 1)
        #expect(try await !device.actions.isActioned(target, in: device.favorites))
        device.world.wire.set(nil)
        #expect(try await device.actions.apply(device.favorites, to: target))
        try await device.sendAll()
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.targets() == [target, target])
        #expect(try await device.actions.remove(device.favorites, from: target))
        try await device.sendAll()
        #expect(try await device.targets() == [])
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("deleting an unsent message deletes its queued actions", .behaviour(102))
    func unsentTargetDeleted() async throws {
        let device = try await ActionWorld()
        let target = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.manager.delete(target)
        try await device.sendAll()
        #expect(device.posts(to: device.favorites) + device.posts(to: device.journal) == 0)
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await !device.actions.hasActioned(in: device.favorites))
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("an action whose message was sent and then deleted elsewhere does not leave the device", .behaviour(106))
    func targetDeletedElsewhere() async throws {
        let world = try await BeastWorld()
        let device = try await ActionWorld(of: world, try world.manager { $0.sendsAutomatically = false })
        let target = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: target, sendsImmediately: false)
        device.world.wire.fail("channels/\(device.favorites)/messages")
        try await device.manager.sendAll(in: device.journal)
        let id = try await device.id(target)
        try await device.world.client.messages.delete(id, in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        device.world.wire.set(nil)
        try await device.manager.sendAll(in: device.favorites)
        #expect(try await device.live().isEmpty)
        #expect(try await device.manager.pendingSummary().isEmpty)
        await device.manager.stop()
    }

    @Test("the actions on a message that is deleted elsewhere are deleted on the service", .behaviour(102))
    func actionsDeletedWithTarget() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(2)
        try await device.actions.apply(device.favorites, to: targets)
        try await device.sendAll()
        try await device.world.client.messages.delete(targets[0], in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.targets() == [targets[1]])
        #expect(try await device.actions.count(in: device.favorites) == 1)
        await device.manager.stop()
    }

    @Test("a list that lacks a message with actions deletes nothing if the service has the message")
    func incompleteList() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(3)
        try await device.actions.apply(device.favorites, to: targets[1])
        try await device.sendAll()
        let list = try await device.live(in: device.journal).filter { $0.id != targets[1] }
        let page = try HeliumJSONEncoder.bodies.encodeToString(Envelope(data: list))
        device.world.wire.set { Wire.line($0).contains("ids=") ? .respond(.json(page)) : .pass }
        #expect(try await device.manager.reconcile(device.journal).removed == 0)
        #expect(try await device.actions.isActioned(targets[1], in: device.favorites))
        device.world.wire.set(nil)
        try await device.sendAll()
        #expect(try await device.targets() == [targets[1]])
        await device.manager.stop()
    }

    @Test("an action that is read after its message went missing is deleted on the service", .behaviour(102))
    func readAfterTarget() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(3)
        for target in targets.prefix(2) { try await device.applyElsewhere(to: target) }
        try await device.world.client.messages.delete(targets[0], in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        _ = try await device.manager.fetchNewest(in: device.favorites)
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.targets() == [targets[1]])
        #expect(try await device.actions.count(in: device.favorites) == 1)
        device.world.wire.forget()
        _ = try await device.manager.reconcile(device.favorites)
        #expect(device.world.wire.requests.count == 1)
        await device.manager.stop()
    }

    @Test("an action that is read after a list has lacked its message remains, and the message returns")
    func readAfterIncompleteList() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(3)
        try await device.applyElsewhere(to: targets[1])
        let list = try await device.live(in: device.journal).filter { $0.id != targets[1] }
        let page = try HeliumJSONEncoder.bodies.encodeToString(Envelope(data: list))
        device.world.wire.set { Wire.line($0).contains("ids=") ? .respond(.json(page)) : .pass }
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        device.world.wire.set(nil)
        _ = try await device.manager.fetchNewest(in: device.favorites)
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await device.targets() == [targets[1]])
        #expect(try await device.actions.actionedMessages(in: device.favorites).map(\.message.id) == [targets[1]])
        await device.manager.stop()
    }

    @Test("a failed request for the message of an action deletes nothing, and is repeated after the next fetch")
    func failedConfirmation() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(3)
        try await device.applyElsewhere(to: targets[0])
        try await device.world.client.messages.delete(targets[0], in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        device.world.wire.fail("messages/\(targets[0])")
        _ = try await device.manager.fetchNewest(in: device.favorites)
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await device.targets() == [targets[0]])
        device.world.wire.set(nil)
        _ = try await device.manager.fetchNewest(in: device.favorites)
        try await eventually { try await device.manager.pendingSummary().isEmpty }
        #expect(try await device.targets() == [])
        await device.manager.stop()
    }

    @Test("a message of an action that may no longer be read keeps the action, and does not hold up the comparison")
    func forbiddenConfirmation() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(3)
        try await device.applyElsewhere(to: targets[0])
        try await device.world.client.messages.delete(targets[0], in: device.journal)
        #expect(try await device.manager.reconcile(device.journal).removed == 1)
        device.world.wire.set { request in
            guard request.url.target.contains("messages/\(targets[0])") else { return .pass }
            return .respond(.json(#"{"meta":{"code":403}}"#, status: 403))
        }
        _ = try await device.manager.fetchNewest(in: device.favorites)
        #expect(try await device.manager.pendingSummary().isEmpty)
        #expect(try await device.targets() == [targets[0]])
        // The comparison has ended, and is not repeated before its time.
        device.world.wire.forget()
        _ = try await device.manager.fetchNewest(in: device.favorites)
        #expect(!device.world.wire.requests.contains { $0.contains("messages/\(targets[0])") })
        await device.manager.stop()
    }

    /// A response with a list of messages.
    private struct Envelope: Encodable {
        let meta = ["code": 200]
        let data: [Message]
    }

    @Test("a killed engine's action is sent with the id that its message got", .behaviour(94, 106))
    func killed() async throws {
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let world = try await BeastWorld()
        var first: ActionWorld? = try await ActionWorld(
            of: world,
            try world.manager(file) { $0.sendsAutomatically = false }
        )
        let favorites = try #require(first?.favorites)
        world.wire.fail("channels/\(favorites)/messages")
        let target = try #require(try await first?.unsent("Tea").first)
        try await first?.actions.apply(favorites, to: target)
        try await first?.manager.sendAll(in: try #require(first?.journal))
        first = nil
        let posted = PostedTargets()
        world.wire.set { posted.note($0) }
        let second = try await ActionWorld(of: world, try world.manager(file))
        try await second.manager.start()
        try await eventually { try await second.manager.pendingSummary().isEmpty }
        #expect(posted.all == [try await second.id(target)])
        #expect(try await second.targets() == posted.all)
        await second.manager.stop()
    }

    @Test("applying an action again undoes a removal that was not sent")
    func removalUndone() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let target = try await device.sent(1)[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.sendAll()
        let before = try await device.live()
        try await device.removeWithoutSending(from: target)
        #expect(try await device.manager.pendingSummary().deletions == 1)
        device.world.wire.forget()
        #expect(try await device.actions.apply(device.favorites, to: target))
        try await device.sendAll()
        #expect(device.world.wire.requests == [])
        #expect(try await device.live() == before)
        #expect(try await device.actions.isActioned(target, in: device.favorites))
        #expect(try await device.manager.check() == [])
        await device.manager.stop()
    }

    @Test("applying an action again after its removal was claimed posts another one after the deletion")
    func removalClaimed() async throws {
        // Otherwise the channel's loop may send before the requests are counted.
        let world = try await BeastWorld()
        let device = try await ActionWorld(of: world, try world.manager { $0.sendsAutomatically = false })
        let target = try await device.sent(1)[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.sendAll()
        let before = try await device.live()
        device.world.wire.fail("DELETE ", delivery: .maybeSent)
        try await device.actions.remove(device.favorites, from: target)
        // The request fails after the removal was claimed.
        try await device.manager.sendAll(in: device.favorites)
        #expect(try await device.actions.apply(device.favorites, to: target, sendsImmediately: false))
        device.world.wire.set(nil)
        device.world.wire.forget()
        try await device.sendAll()
        #expect(device.world.wire.requests.map { $0.prefix(4) }.sorted() == ["DELE", "POST"])
        let after = try await device.live()
        #expect(after.map(\.targetMessageID) == [target])
        #expect(after.first?.id != before.first?.id)
        await device.manager.stop()
    }

    @Test("an action on an unsuitable message is refused, and nothing is stored")
    func refused() async throws {
        let device = try await ActionWorld()
        let target = try await device.sent(1)[0]
        func kind(_ body: () async throws -> Void) async -> MessageBeastError.Kind? {
            let error = await #expect(throws: MessageBeastError.self) { try await body() }
            return error?.kind
        }
        #expect(await kind { try await device.actions.apply(device.favorites, to: [target, "9999"]) } == .notFound)
        #expect(await kind { try await device.actions.apply(device.journal, to: target) } == .invalidArgument)
        #expect(await kind { _ = try await device.actions.isActioned(target, in: device.journal) } == .invalidArgument)
        #expect(await kind { _ = try await device.actions.count(in: "9999") } == .notFound)
        let message = Message(text: "Tea")
        #expect(await kind { _ = try await device.manager.create(message, in: device.favorites) } == .invalidArgument)
        let limited = try await ActionWorld(of: device.world, device.world.manager { $0.maximumUnsent = 1 })
        let ids = try await device.world.fill(device.journal, 2)
        _ = try await limited.manager.fetchNewest(in: limited.journal)
        #expect(await kind { try await limited.actions.apply(limited.favorites, to: ids) } == .queueFull)
        for one in [device, limited] {
            #expect(try await one.manager.pendingSummary().isEmpty)
            #expect(try await !one.actions.hasActioned(in: one.favorites))
            await one.manager.stop()
        }
    }

    @Test("actions on pnut.io are an error, and nothing is stored")
    func pnut() async throws {
        let world = try await BeastWorld(dialect: .pnut)
        let actions = try world.manager().actions
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await actions.channel(ofType: "a", target: "1") }, { try await actions.apply("2", to: "1") },
            { try await actions.remove("2", from: "1") }, { _ = try await actions.isActioned("1", in: "2") },
            { _ = try await actions.actionedIDs(among: ["1"], in: "2") },
            { _ = try await actions.hasActioned(in: "2") },
            { _ = try await actions.count(in: "2") }, { _ = try await actions.actionedMessages(in: "2") },
        ]
        for call in calls {
            let error = await #expect(throws: MessageBeastError.self) { try await call() }
            #expect(error?.kind == .unsupportedByDialect)
        }
        #expect(world.wire.requests == [])
        #expect(try await actions.manager.channels().isEmpty)
    }
}
