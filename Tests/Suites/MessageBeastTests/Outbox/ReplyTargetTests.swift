import AppNet
import HeliumCore
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Replies whose targets are deleted", .timeLimit(.minutes(5)))
struct ReplyTargetTests {
    /// A message that was sent, and a reply to it, created before that, whose first request was treated in some way.
    private struct Exchange {
        let world: BeastWorld
        let manager: MessageManager
        let channel: AppNetChannel.ID
        /// The temporary ids.
        let question: Message.ID
        let answer: Message.ID

        init(
            answering treatment: Wire.Treatment,
            _ configure: (inout MessageManager.Options) -> Void = { _ in }
        ) async throws {
            world = try await BeastWorld()
            manager = try world.manager { options in
                options.sendsAutomatically = false
                configure(&options)
            }
            channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
            let target = try await manager.create(Message(text: "Question"), in: channel)
            question = try #require(target.message.id)
            let reply = try await manager.create(Message(text: "Answer", replyTo: question), in: channel)
            answer = try #require(reply.message.id)
            let posts = Counter()
            world.wire.set { FileWorld.isPost($0) && posts.increment() == 2 ? treatment : .pass }
            _ = try await manager.outbox.drain(channel, isExplicit: true)
            #expect(posts.count == 2)
            world.wire.set(nil)
        }

        /// The live messages of the channel on the service, oldest first.
        func live() async throws -> [Message] {
            let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false)
            return try await world.client.messages.list(in: channel, parameters: parameters)
                .page(PageBounds(count: 200)).elements.reversed()
        }
    }

    private static let lost = TransportFailure(
        .connectionLost,
        delivery: .maybeSent,
        message: "the connection was lost"
    )
    private static let offline = TransportFailure(.connectionFailed, delivery: .notSent, message: "no network")

    @Test("a reply that another device has deleted is not sent again after its target was deleted here")
    func deletedElsewhere() async throws {
        let exchange = try await Exchange(answering: .loseResponse)
        let (manager, channel) = (exchange.manager, exchange.channel)
        let copy = try #require(try await exchange.live().last)
        #expect(copy.text == "Answer" && copy.replyTo != nil)
        try await exchange.world.client.messages.delete(try #require(copy.id), in: channel)
        try await manager.delete(exchange.question)
        try await manager.sendAll(in: channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == ["maybeDeletedElsewhere"])
        #expect(try await exchange.live() == [])
        await manager.stop()
    }

    @Test("a late request for a reply that was discarded after its target is recognized, and the copy deleted")
    func discarded() async throws {
        let exchange = try await Exchange(answering: .fail(Self.lost)) { options in
            options.maximumSendAttempts = 1
            options.fetchPolicy = .fetchAnyway
        }
        let (manager, channel) = (exchange.manager, exchange.channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == ["outcomeUnknown"])
        var late = UnsentMessage.posted(try #require(try await manager.message(id: exchange.answer)).message)
        late.replyTo = try await manager.message(id: exchange.question)?.message.id
        // Nothing is sent by itself: the service is not told yet.
        try await manager.delete(exchange.question)
        try await manager.discard(exchange.answer)
        _ = try await exchange.world.client.messages.create(late, in: channel)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.page(of: channel).messages == [])
        try await manager.sendAll(in: channel)
        #expect(try await exchange.live() == [])
        await manager.stop()
    }

    @Test("a reply that may have been sent keeps its target, and is parked if the service refuses it because of that")
    func perhapsSent() async throws {
        let exchange = try await Exchange(answering: .fail(Self.lost))
        let (manager, channel) = (exchange.manager, exchange.channel)
        try await manager.delete(exchange.question)
        try await manager.sendAll(in: channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == ["badRequest"])
        #expect(try await exchange.live() == [])
        let edited = try await manager.edit(exchange.answer, to: Message(text: "Answer"))
        #expect(edited.message.id != exchange.answer)
        try await manager.sendAll(in: channel)
        #expect(try await exchange.live().map(\.text) == ["Answer"])
        await manager.stop()
    }

    @Test("a reply whose request had no effect is sent as an ordinary message", arguments: [nil, 400])
    func notSent(status: Int?) async throws {
        let exchange = try await Exchange(answering: status.map { .respond(.failure($0)) } ?? .fail(Self.offline))
        let (manager, channel) = (exchange.manager, exchange.channel)
        try await manager.delete(exchange.question)
        if status != nil { try await manager.retry(exchange.answer) }
        try await manager.sendAll(in: channel)
        let live = try await exchange.live()
        #expect(live.map(\.text) == ["Answer"] && live.first?.replyTo == nil)
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
    }
}
