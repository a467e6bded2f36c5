import AppNet
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Filters of fetches, and the tokens of what they exclude", .timeLimit(.minutes(5)))
struct FetchFilterTests {
    private struct Ground {
        let world: BeastWorld
        let manager: MessageManager
        let channel: AppNetChannel.ID

        init() async throws {
            world = try await BeastWorld()
            manager = try world.manager {
                $0.sendsAutomatically = false
                $0.fetchPolicy = .fetchAnyway
            }
            channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        }

        func create(_ text: String) async throws -> MessagePlus {
            try await manager.create(Message(text: text), in: channel)
        }

        /// Delivers the request for a message again.
        func deliver(_ message: MessagePlus) async throws -> Message.ID {
            let copy = UnsentMessage.posted(message.message)
            return try #require(try await world.client.messages.create(copy, in: channel).id)
        }

        /// Fetches with a filter that excludes everything.
        func fetch() async throws -> FetchSummary {
            try #require(try await manager.fetchNewest(in: channel, excluding: { _ in true }).summary)
        }

        /// The live messages on the service, oldest first.
        func live() async throws -> [Message.ID?] {
            let parameters = GeneralParameters(includesDeleted: false)
            return try await world.client.messages.list(in: channel, parameters: parameters).page().elements.reversed()
                .map(\.id)
        }
    }

    @Test("messages that a fetch excluded before it failed are reported by the next one, once")
    func failedLater() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager {
            $0.pageSize = 2
            $0.maximumReadAttempts = 1
        }
        let channel = try await world.filledJournal(1, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await world.fill(channel, 4)
        let pages = Counter()
        world.wire.set { request in
            guard Wire.line(request).contains("/messages?"), pages.increment() > 1 else { return .pass }
            return .fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "no network"))
        }
        await #expect(throws: AppNetError.self) { try await manager.fetchNewest(in: channel, excluding: { _ in true }) }
        world.wire.set(nil)
        func excluded() async throws -> Set<Message.ID> {
            let summary = try await manager.fetchNewest(in: channel, excluding: { _ in true }).summary
            return Set(try #require(summary).excluded.compactMap(\.message.id))
        }
        #expect(try await excluded() == Set(ids))
        #expect(try await excluded() == [])
        await manager.stop()
    }

    @Test("messages that a fetch excluded before the store was wiped are not reported afterwards")
    func wiped() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(1, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        try await world.fill(channel, 4)
        let (pages, gate) = (Counter(), Signal<Void>())
        world.wire.set { request in
            guard Wire.line(request).contains("/messages?"), pages.increment() == 2 else { return .pass }
            return .holdResponse(gate)
        }
        let fetch = Task { try await manager.fetchNewest(in: channel, excluding: { _ in true }) }
        try await eventually { world.wire.heldResponses == 1 }
        try await manager.wipe()
        gate.settle()
        await #expect(throws: MessageBeastError.self) { try await fetch.value }
        _ = try await manager.privateChannel(ofType: BeastWorld.journal)
        #expect(try await manager.fetchNewest(in: channel).summary?.excluded == [])
        await manager.stop()
    }

    @Test("a copy that a filter excludes is deleted, and others are excluded as they were")
    func copy() async throws {
        let ground = try await Ground()
        let created = try await ground.create("Tea")
        try await ground.manager.sendAll(in: ground.channel)
        let sent = try await ground.live()
        let copy = try await ground.deliver(created)
        let other = try #require(try await ground.world.fill(ground.channel, 1).first)
        let excluded = try await ground.fetch().excluded.map(\.message.id)
        #expect(excluded.contains(other) && !excluded.contains(copy))
        try await ground.manager.sendAll(in: ground.channel)
        #expect(try await ground.live() == sent + [other])
        #expect(try await ground.manager.page(of: ground.channel).messages.map(\.message.id) == sent)
        #expect(try await ground.manager.check() == [])
        await ground.manager.stop()
    }

    @Test("a late request for a message that was deleted here is deleted, although a filter excludes it")
    func deleted() async throws {
        let ground = try await Ground()
        let created = try await ground.create("Tea")
        try await ground.manager.delete(try #require(created.message.id))
        _ = try await ground.deliver(created)
        #expect(try await ground.fetch() == FetchSummary(pages: 1))
        try await ground.manager.sendAll(in: ground.channel)
        #expect(try await ground.live() == [])
        await ground.manager.stop()
    }

    @Test("an unsent message that a page contains is sent, although a filter excludes it")
    func unsent() async throws {
        let ground = try await Ground()
        let created = try await ground.create("Tea")
        ground.world.wire.loseResponses(times: 1)
        try await ground.manager.sendAll(in: ground.channel)
        let summary = try await ground.fetch()
        #expect(summary.updated == 1 && summary.excluded == [])
        let stored = try #require(try await ground.manager.page(of: ground.channel).messages.first)
        #expect(stored.id == created.id && stored.state == .sent)
        #expect(try await ground.manager.pendingSummary().isEmpty)
        await ground.manager.stop()
    }

    @Test("a message of another device is excluded, although it has a token")
    func otherDevice() async throws {
        let ground = try await Ground()
        _ = try await ground.create("Tea")
        try await ground.manager.sendAll(in: ground.channel)
        let second = try ground.world.manager()
        _ = try await second.privateChannel(ofType: BeastWorld.journal)
        let outcome = try await second.fetchNewest(in: ground.channel, excluding: { _ in true })
        let live = try await ground.live()
        #expect(live.count == 1 && outcome.summary?.excluded.map(\.message.id) == live)
        #expect(try await second.page(of: ground.channel).messages == [])
        for manager in [ground.manager, second] { await manager.stop() }
    }
}
