import AppNet
import GRDB
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Retrying parked messages", .timeLimit(.minutes(5)))
struct RetryTests {
    /// The live messages of a channel on the service, oldest first.
    private func live(_ channel: AppNetChannel.ID, _ world: BeastWorld) async throws -> [Message] {
        let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false)
        return try await world.client.messages.list(in: channel, parameters: parameters)
            .page(PageBounds(count: 200)).elements.reversed()
    }

    /// Two devices. The first one sends nothing by itself.
    private func devices() async throws -> (ActionWorld, ActionWorld) {
        let world = try await BeastWorld()
        let first = try await ActionWorld(of: world, try world.manager { $0.sendsAutomatically = false })
        return (first, try await first.otherDevice())
    }

    /// Parks a message of `first` whose response was lost, because `second` has deleted it.
    ///
    /// - Returns: The temporary id of the message, and its document.
    private func parked(_ first: ActionWorld, deletedBy second: ActionWorld) async throws -> (Message.ID, Message) {
        let id = try await first.unsent("Tea")[0]
        let document = try #require(try await first.manager.message(id: id)).message
        first.world.wire.loseResponses(times: 1)
        _ = try await first.manager.outbox.drain(first.journal, isExplicit: true)
        first.world.wire.set(nil)
        _ = try await second.manager.fetchNewest(in: second.journal)
        let copy = try #require(try await second.manager.page(of: second.journal).messages.first?.message.id)
        try await second.manager.delete(copy)
        try await second.manager.sendAll(in: second.journal)
        _ = try await first.manager.outbox.drain(first.journal, isExplicit: true)
        #expect(try await first.manager.parkedMessages().map(\.reason.code) == ["maybeDeletedElsewhere"])
        return (id, document)
    }

    @Test("a message that another device has deleted is there once after its user has sent it again")
    func deletedElsewhere() async throws {
        let (first, second) = try await devices()
        let (old, _) = try await parked(first, deletedBy: second)
        let before = try #require(try await first.manager.message(id: old))
        try await first.manager.retry(old)
        let retried = try #require(try await first.manager.message(id: old))
        #expect(retried.id == before.id && retried.sendAttemptsCount == 0)
        #expect(retried.message.id != old && retried.message.token == retried.message.id?.text)
        try await first.manager.sendAll(in: first.journal)
        // The other device would delete a message with the token of the one that it has deleted.
        _ = try await second.manager.fetchNewest(in: second.journal)
        try await second.manager.sendAll(in: second.journal)
        _ = try await first.manager.fetchNewest(in: first.journal)
        let messages = try await live(first.journal, first.world)
        #expect(messages.map(\.text) == ["Tea"])
        let sent = try #require(try await first.manager.message(id: old))
        #expect(sent.id == before.id && sent.state == .sent && sent.message.id == messages.first?.id)
        #expect(try await second.manager.page(of: second.journal).messages.map(\.message.id) == messages.map(\.id))
        for device in [first, second] {
            #expect(try await device.manager.pendingSummary().isEmpty)
            #expect(try await device.manager.check() == [])
            await device.manager.stop()
        }
    }

    @Test("what waits for such a message follows it, and a late request with its former token is not another message")
    func dependants() async throws {
        let (first, second) = try await devices()
        let (old, document) = try await parked(first, deletedBy: second)
        try await first.actions.apply(first.favorites, to: old, sendsImmediately: false)
        let reply = Message(text: "With milk", replyTo: old)
        _ = try await first.manager.create(reply, in: first.journal, sendsImmediately: false)
        try await first.manager.retry(old)
        #expect(try await first.actions.isActioned(old, in: first.favorites))
        try await first.sendAll()
        let id = try await first.id(old)
        #expect(try await first.targets() == [id])
        #expect(try await live(first.journal, first.world).map(\.replyTo) == [nil, id])
        // The request that was given up arrives now.
        _ = try await first.world.client.messages.create(UnsentMessage.posted(document), in: first.journal)
        #expect(try await live(first.journal, first.world).count == 3)
        _ = try await first.manager.fetchNewest(in: first.journal)
        try await first.sendAll()
        #expect(try await live(first.journal, first.world).map(\.text) == ["Tea", "With milk"])
        #expect(try await first.manager.message(id: old)?.message.id == id)
        #expect(try await first.targets() == [id])
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("an edit of such a message gives it another token too, also if another store has posted it")
    func edited() async throws {
        let (first, second) = try await devices()
        let (old, _) = try await parked(first, deletedBy: second)
        // As in a store that was restored from an export.
        try await first.manager.writer.write { try $0.execute(sql: "UPDATE outbox SET claimed_ms = NULL") }
        let edited = try await first.manager.edit(old, to: Message(text: "Tea"))
        #expect(edited.message.id != old)
        try await first.manager.sendAll(in: first.journal)
        _ = try await second.manager.fetchNewest(in: second.journal)
        try await second.manager.sendAll(in: second.journal)
        #expect(try await live(first.journal, first.world).map(\.text) == ["Tea"])
        for device in [first, second] { await device.manager.stop() }
    }

    @Test("a message of the class reject is sent again only after an edit")
    func rejected() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file) { options in
            options.sendsAutomatically = false
            options.failureClasses.refused = .reject
        }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.set { FileWorld.isPost($0) ? .respond(.failure(400)) : .pass }
        world.wire.forget()
        let created = try await manager.create(Message(text: "Bad"), in: channel)
        let id = try #require(created.message.id)
        try await manager.sendAll(in: channel)
        // As another process sees it.
        let other = try world.manager(file) { $0.sendsAutomatically = false }
        let reason = try #require(try await other.parkedMessages().first?.reason)
        #expect(reason.code == "badRequest" && reason.needsEdit)
        #expect(try await other.outbox(of: channel).map(\.state) == [.parked(reason)])
        let error = await #expect(throws: MessageBeastError.self) { try await manager.retry(id) }
        #expect(error?.kind == .invalidArgument && error?.message.contains("edit it") == true)
        #expect(try await manager.parkedMessages().count == 1)
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.count == 1)
        world.wire.set(nil)
        _ = try await manager.edit(id, to: Message(text: "Good"))
        #expect(try await manager.outbox(of: channel).map(\.state) == [.queued])
        try await manager.sendAll(in: channel)
        #expect(try await live(channel, world).map(\.text) == ["Good"])
        await other.stop()
        await manager.stop()
    }

    @Test("a message that is retried waits for the outcome of the claim behind it")
    func oneClaim() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let posts = Counter()
        world.wire.set { request in
            guard FileWorld.isPost(request) else { return .pass }
            switch posts.increment() {
            case 1: return .respond(.failure(400))
            case 2: return .loseResponse
            default: return .pass
            }
        }
        let first = try await manager.create(Message(text: "First"), in: channel)
        _ = try await manager.create(Message(text: "Second"), in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await manager.outbox(of: channel).last?.state == .sending)
        try await manager.retry(try #require(first.message.id))
        world.wire.forget()
        #expect(try await manager.outbox.drain(channel, isExplicit: false) != nil)
        #expect(world.wire.requests == [])
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.first?.hasPrefix("GET ") == true)
        #expect(posts.count == 3)
        #expect(try await live(channel, world).map(\.text) == ["Second", "First"])
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
    }
}
