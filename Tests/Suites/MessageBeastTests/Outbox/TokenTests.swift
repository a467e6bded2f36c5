import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Copies of messages, tokens and engines of one file")
struct TokenTests {
    @Test("a request that the network delivers twice leaves the message with the lower id, here and on the service")
    func deliveredTwice() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.repeatPosts(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        _ = try await manager.fetchNewest(in: channel)
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.count == 1)
        let stored = try await manager.page(of: channel).messages
        #expect(stored.map(\.id) == [created.id])
        #expect(stored.first?.message.id == live.first?.id)
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("copies in one page, and the writes that they cause, leave the indexes consistent")
    func copiesInOnePage() async throws {
        let world = try await BeastWorld()
        let channel = try await world.emptyJournal()
        let copied = UnsentMessage.posted(try await unsent("Tea", world))
        for number in 0..<3 {
            try await world.fill(channel, 2)
            if number < 2 { _ = try await world.client.messages.create(copied, in: channel) }
        }
        let manager = try world.manager()
        _ = try await manager.privateChannel(ofType: BeastWorld.journal)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.check() == [])
        #expect(try await manager.page(of: channel).messages.count == 7)
        await manager.stop()
    }

    @Test("a copy of a message that was deleted here is deleted when it arrives")
    func copyOfDeleted() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let posted = UnsentMessage.posted(created.message)
        try await manager.delete(try #require(created.message.id))
        // The request arrives late.
        _ = try await world.client.messages.create(posted, in: channel)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.page(of: channel).messages == [])
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.isEmpty)
        await manager.stop()
    }

    @Test(
        "a copy of a missing message replaces it if its id is lower, and is deleted if it is higher"
    )
    func copyOfMissing() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 1 }
        let channel = try await world.emptyJournal()
        let message = UnsentMessage.posted(try await unsent("Tea", world))
        let lower = try await world.client.messages.create(message, in: channel)
        let higher = try await world.client.messages.create(message, in: channel)
        _ = try await manager.privateChannel(ofType: BeastWorld.journal)
        // The engine knows the higher one, and another device has kept the lower one.
        _ = try await manager.fetchNewest(in: channel)
        try await world.client.messages.delete(try #require(higher.id), in: channel)
        #expect(try await manager.reconcile(channel).removed == 1)
        try await manager.fullSync(of: channel).run()
        _ = try await world.client.messages.create(message, in: channel)
        _ = try await manager.fetchNewest(in: channel)
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.map(\.id) == [lower.id])
        #expect(try await manager.page(of: channel).messages.map(\.message.id) == [lower.id])
        await manager.stop()
    }

    /// A message as an engine stores it, with its token.
    private func unsent(_ text: String, _ world: BeastWorld) async throws -> Message {
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: "com.example.other").id
        return try await manager.create(Message(text: text), in: channel, sendsImmediately: false).message
    }

    @Test("a deletion cannot be undone after a copy of the message was found, which another device may have kept")
    func undoneAfterCopy() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager {
            $0.fetchPolicy = .fetchAnyway
            // The service does not learn of the deletion yet.
            $0.sendsAutomatically = false
        }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        world.wire.repeatPosts(times: 1)
        try await manager.sendAll(in: channel)
        let sent = try #require(try await manager.page(of: channel).messages.first?.message.id)
        try await manager.delete(sent)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.cancelDeletion(of: sent) == false)
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.isEmpty)
        #expect(try await manager.message(id: try #require(created.message.id)) == nil)
        await manager.stop()
    }

    @Test("a changed copy of a message by an app is an ordinary message")
    func changedCopy() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        var copy = UnsentMessage.posted(created.message)
        copy.text = "Coffee"
        let id = try #require(try await world.client.messages.create(copy, in: channel).id)
        let events = manager.events
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.page(of: channel).messages.compactMap(\.message.text).sorted() == ["Coffee", "Tea"])
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
        var warnings: [MessageManager.Event] = []
        for await event in events {
            if case .warning = event { warnings.append(event) }
        }
        #expect(warnings == [.warning(.changedCopy(id, in: channel))])
    }

    @Test("another device resolves the temporary id of a message that it has fetched")
    func otherDevice() async throws {
        let world = try await BeastWorld()
        let first = try world.manager()
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        let created = try await first.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await first.sendAll(in: channel)
        let second = try world.manager()
        _ = try await second.privateChannel(ofType: BeastWorld.journal)
        _ = try await second.fetchNewest(in: channel)
        #expect(try await second.message(id: try #require(created.message.id))?.state == .sent)
    }

    @Test("a message that may have been deleted on another device is parked for a decision")
    func deletedElsewhere() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.loseResponses(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let id = try #require(try await world.client.messages.list(in: channel).page().elements.first?.id)
        try await world.client.messages.delete(id, in: channel)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let parked = try #require(try await manager.parkedMessages().first)
        #expect(parked.reason.code == "maybeDeletedElsewhere")
        #expect(parked.message.id == created.id)
        try await manager.discard(try #require(created.message.id))
        #expect(try await manager.page(of: channel).messages == [])
        await manager.stop()
    }

    @Test("a refresh that contains a message of the outbox reports that it was sent")
    func refreshed() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.loseResponses(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let id = try #require(try await world.client.messages.list(in: channel).page().elements.first?.id)
        let events = manager.events
        _ = try await manager.refresh([id], in: channel)
        await manager.stop()
        var sent: [MessageManager.SentMessage] = []
        for await event in events {
            if case .sent(channel, let message) = event { sent.append(message) }
        }
        #expect(sent.map(\.serverID) == [id] && sent.map(\.temporaryID) == [created.message.id])
    }

    @Test("a message that is about to be posted is stored with the id of the message that it replies to")
    func storedReply() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let target = try await manager.create(Message(text: "Tea"), in: channel)
        _ = try await manager.create(Message(text: "Milk", replyTo: target.message.id), in: channel)
        let posts = Counter()
        world.wire.set { request in
            guard request.method == .post, posts.increment() == 2 else { return .pass }
            return .fail(TransportFailure(.connectionLost, delivery: .maybeSent, message: "no response"))
        }
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let temporary = try #require(target.message.id)
        let sent = try #require(try await manager.message(id: temporary)?.message.id)
        let replies = try await manager.writer.read {
            try String.fetchAll($0, sql: "SELECT json_extract(json, '$.reply_to') FROM message WHERE kind = 'unsent'")
        }
        #expect(replies == [sent.text])
        await manager.stop()
    }

    @Test("the search for a message does not list those that were sent before it")
    func searchAfterOwn() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        for text in ["One", "Two", "Three"] { _ = try await manager.create(Message(text: text), in: channel) }
        let posts = Counter()
        world.wire.set { $0.method == .post && posts.increment() == 3 ? .loseResponse : .pass }
        world.wire.forget()
        for _ in 0..<2 { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        let ids = try await world.stored(channel, by: manager).sorted()
        #expect(ids.count == 3 && world.wire.pages.count == 1)
        #expect(world.wire.pages.first?["since_id"] == "\(ids[1])")
        await manager.stop()
    }

    @Test("a late response with a lower id replaces the copy from a page")
    func lateLowerCopy() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.holdResponses(until: gate)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let sending = Task { try await manager.sendAll(in: channel) }
        try await eventually { world.wire.heldResponses == 1 }
        world.wire.set(nil)
        let copy = try await world.client.messages.create(UnsentMessage.posted(created.message), in: channel)
        _ = try await manager.refresh([try #require(copy.id)], in: channel)
        #expect(try await manager.message(id: try #require(created.message.id))?.message.id == copy.id)
        gate.settle()
        try await sending.value
        try await manager.sendAll(in: channel)
        let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
        #expect(live.count == 1 && live.first?.id != copy.id)
        #expect(try await manager.page(of: channel).messages.map(\.message.id) == live.map(\.id))
        await manager.stop()
    }

    @Test("a message that was deleted here does not park another one as possibly deleted elsewhere")
    func deletedHere() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let first = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        try await manager.delete(try #require(first.message.id))
        try await manager.sendAll(in: channel)
        try await expectNoQuestion(manager, channel, world)
    }

    @Test("a message that was deleted while it was sent does not park another one as possibly deleted elsewhere")
    func deletedWhileSent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.loseResponses(times: 1)
        let first = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        try await manager.delete(try #require(first.message.id))
        for _ in 0..<2 { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        try await expectNoQuestion(manager, channel, world)
    }

    @Test("a copy that was deleted here does not park a message as possibly deleted elsewhere")
    func deletedCopy() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.repeatPosts(times: 1)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        let copies = try await world.client.messages.list(in: channel).page().elements.compactMap(\.id)
        #expect(copies.count == 2)
        _ = try await manager.refresh(copies, in: channel)
        try await manager.sendAll(in: channel)
        try await expectNoQuestion(manager, channel, world)
    }

    @Test("a message known to be deleted elsewhere does not park another one as possibly deleted")
    func knownToBeDeletedElsewhere() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        // Not an engine's: it has no token.
        let id = try #require(try await world.client.messages.create(Message(text: "Tea"), in: channel).id)
        _ = try await manager.refresh([id], in: channel)
        try await world.client.messages.delete(id, in: channel)
        _ = try await manager.refresh([id], in: channel)
        #expect(try await manager.page(of: channel).messages == [])
        try await expectNoQuestion(manager, channel, world)
    }

    /// Sends a message whose first request fails with an unknown outcome, where the service has a deleted message.
    private func expectNoQuestion(
        _ manager: MessageManager,
        _ channel: AppNetChannel.ID,
        _ world: BeastWorld
    ) async throws {
        let all = try await world.client.messages.list(in: channel).page().elements
        #expect(all.count { $0.isDeleted == true } == 1)
        world.wire.fail("POST", times: 1, delivery: .maybeSent)
        let created = try await manager.create(Message(text: "Coffee"), in: channel, sendsImmediately: false)
        for _ in 0..<3 { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        #expect(try await manager.parkedMessages() == [])
        #expect(try await manager.message(id: try #require(created.message.id))?.state == .sent)
        await manager.stop()
    }

    @Test("the lock of an engine shows whether the engine is running")
    func owners() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let first = try FileOwners(database: path, name: "aaaa-1")
        do {
            let second = try FileOwners(database: path, name: "bbbb-2")
            #expect(first.isAlive("bbbb-2"))
            #expect(second.isAlive("aaaa-1"))
            #expect(first.isAlive("aaaa-1"))
        }
        #expect(!first.isAlive("bbbb-2"))
        #expect(!first.isAlive("../journal"))
        #expect(!first.isAlive(""))
        // A file that a process left behind when it was killed.
        let left = folder.path("journal.sqlite-owners") + "/cccc-3"
        try Data().write(to: URL(fileURLWithPath: left))
        #expect(!first.isAlive("cccc-3"))
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(throws: MessageBeastError.self) { try FileOwners(database: path, name: "aaaa-1") }
    }

    @Test("random UUIDs are of version 4")
    func uuids() {
        var seen: Set<String> = []
        for _ in 0..<200 {
            let text = RandomSource.system.uuid()
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
            #expect(text.dropFirst(14).first == "4")
            #expect("89ab".contains(text.dropFirst(19).first ?? "x"))
            seen.insert(text)
        }
        #expect(seen.count == 200)
        #expect(RandomSource { 0 }.uuid() == "00000000-0000-4000-8000-000000000000")
        #expect(RandomSource { .max }.uuid() == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    }

    @Test(
        "a message without a known predecessor is not taken for one that was deleted on an earlier day",
        arguments: [(0, ["maybeDeletedElsewhere"]), (3, [])] as [(Int64, [String])]
    )
    func oldDeletion(days: Int64, parked: [String]) async throws {
        let world = try await BeastWorld()
        let channel = try await world.emptyJournal()
        let other = try #require(try await world.client.messages.create(Message(text: "Old"), in: channel).id)
        try await world.client.messages.delete(other, in: channel)
        world.clock.advance(by: .seconds(days * 86_400))
        let manager = try world.manager { $0.sendsAutomatically = false }
        _ = try await manager.privateChannel(ofType: BeastWorld.journal)
        _ = try await manager.create(Message(text: "Tea"), in: channel)
        // The request does not arrive, which the device cannot know.
        world.wire.fail("POST ", times: 1, delivery: .maybeSent)
        try await manager.sendAll(in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == parked)
        #expect(try await manager.page(of: channel).messages.map(\.state) == [parked.isEmpty ? .sent : .unsent])
        await manager.stop()
    }
}
