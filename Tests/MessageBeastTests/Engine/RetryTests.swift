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
