import AppNet
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Retrying parked messages", .timeLimit(.minutes(2)))
struct RetryTests {
    /// The live messages of a channel on the service, oldest first.
    private func live(_ channel: AppNetChannel.ID, _ world: BeastWorld) async throws -> [Message] {
        let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false)
        return try await world.client.messages.list(in: channel, parameters: parameters)
            .page(PageBounds(count: 200)).elements.reversed()
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
