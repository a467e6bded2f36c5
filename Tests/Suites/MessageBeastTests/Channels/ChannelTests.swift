import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Finding and creating channels")
struct ChannelTests {
    @Test("a channel in the store needs no request", .behaviour(81))
    func cached() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let created = try await manager.privateChannel(ofType: BeastWorld.journal)
        world.wire.forget()
        #expect(try await manager.privateChannel(ofType: BeastWorld.journal).id == created.id)
        #expect(world.wire.requests == [])
    }

    @Test("a new channel is written by its owner only, and is complete", .behaviour(12, 88))
    func created() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let created = try await manager.privateChannel(ofType: BeastWorld.journal)
        #expect(created.fullSyncState == .complete)
        #expect(try await manager.fullSyncState(of: created.id) == .complete)
        let channel = try await world.client.channels.get(created.id)
        #expect(channel.writers?.isImmutable == true)
        #expect(channel.writers?.includesAnyUser != true)
        #expect(channel.readers?.isImmutable != true)
        #expect(channel.youSubscribed == true)
        // A complete channel without messages is read from the beginning.
        try await world.fill(created.id, 3)
        #expect(try await manager.fetchNewest(in: created.id).summary?.inserted == 3)
    }

    @Test("an action channel is created with its type and its target", .behaviour(88))
    func actionChannel() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let target = try await manager.privateChannel(ofType: BeastWorld.journal)
        let actions = try await manager.actionChannel(ofType: "com.example.favorite", target: target.id)
        #expect(actions.role == .actions(type: "com.example.favorite", target: target.id))
        var parameters = GeneralParameters()
        parameters.includesChannelAnnotations = true
        let channel = try await world.client.channels.get(actions.id, parameters: parameters)
        let metadata = channel.annotations?.first { $0.type == MessageBeastNames.actionMetadata }?.value
        #expect(metadata?["action_type"]?.stringValue == "com.example.favorite")
        #expect(metadata?["channel_id"]?.stringValue == target.id.text)
        // Another device finds it.
        let other = try world.manager()
        #expect(try await other.actionChannel(ofType: "com.example.favorite", target: target.id).id == actions.id)
        #expect(try await other.actionChannel(ofType: "com.example.read", target: target.id).id != actions.id)
    }

    @Test("creating an action channel on pnut.io is an error")
    func pnut() async throws {
        let world = try await BeastWorld(dialect: .pnut)
        let manager = try world.manager()
        let target = try await manager.privateChannel(ofType: BeastWorld.journal)
        world.wire.forget()
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.actionChannel(ofType: "com.example.favorite", target: target.id)
        }
        #expect(error?.kind == .unsupportedByDialect)
        #expect(world.wire.requests == [])
    }

    @Test("a failed look-up creates no channel", .behaviour(82))
    func failedLookup() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        world.wire.fail("GET ")
        await #expect(throws: AppNetError.self) { try await manager.privateChannel(ofType: BeastWorld.journal) }
        #expect(!world.wire.requests.contains { $0.hasPrefix("POST") })
    }

    @Test("the lowest of several suitable channels is used", .behaviour(83, 84))
    func choice() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let wanted = WantedChannel.content(BeastWorld.journal).creation(for: world.account)
        var open = wanted
        open.writers = ACL(includesAnyUser: true, isImmutable: true)
        var mutable = wanted
        mutable.writers?.isImmutable = false
        var fixed = wanted
        fixed.readers = ACL(isImmutable: true)
        var other = wanted
        other.type = "com.example.other"
        for channel in [open, mutable, fixed, other] { _ = try await world.client.channels.create(channel) }
        let first = try #require(try await world.client.channels.create(wanted).id)
        let second = try #require(try await world.client.channels.create(wanted).id)
        let events = manager.events
        #expect(try await manager.privateChannel(ofType: BeastWorld.journal).id == first)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .warning(.duplicateChannels(used: first, ignored: [second])))
    }

    @Test("a channel on a later page is found while it gets messages", .behaviour(85))
    func laterPage() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let first = try await world.emptyJournal()
        var other = WantedChannel.content(BeastWorld.journal).creation(for: world.account)
        other.writers?.isImmutable = false
        for _ in 0..<205 { _ = try await world.client.channels.create(other) }
        world.wire.forget()
        let server = world.server
        world.wire.set { request in
            if Wire.line(request).contains("users/me/channels") {
                Task {
                    try await server.appNet.fillChannel(first.text, count: 1, by: "alice") { _ in .init(text: "a") }
                }
            }
            return .pass
        }
        #expect(try await manager.privateChannel(ofType: BeastWorld.journal).id == first)
        #expect(world.wire.requests.count { $0.contains("users/me/channels") } == 2)
        #expect(!world.wire.requests.contains { $0.hasPrefix("POST") && !$0.contains("subscribe") })
    }

    @Test("two callers at the same time create one channel", .behaviour(86))
    func concurrent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        async let first = manager.privateChannel(ofType: BeastWorld.journal)
        async let second = manager.privateChannel(ofType: BeastWorld.journal)
        #expect(try await first.id == second.id)
        #expect(world.wire.requests.count { $0.hasPrefix("POST") && !$0.contains("subscribe") } == 1)
    }

    @Test("two devices that create a channel at the same time use one")
    func twoDevices() async throws {
        let world = try await BeastWorld()
        let (first, second) = (try world.manager(), try world.manager())
        let gate = Signal<Void>()
        let isCreation: @Sendable (String) -> Bool = { $0.hasPrefix("POST") && !$0.contains("/subscribe") }
        world.wire.set { isCreation(Wire.line($0)) ? .hold(gate) : .pass }
        async let one = first.privateChannel(ofType: BeastWorld.journal)
        async let two = second.privateChannel(ofType: BeastWorld.journal)
        try await eventually { world.wire.requests.count(where: isCreation) == 2 }
        gate.settle()
        let channels = [try await one, try await two]
        let created = try await world.client.channels.created().page().elements.compactMap(\.id?.number)
        #expect(created.count == 2)
        #expect(channels.map(\.id.number) == [created.min(), created.min()])
        // The one that the other device has made may have messages already.
        #expect(channels.map(\.fullSyncState).filter { $0 == .complete }.count == 1)
        await first.stop()
        await second.stop()
    }

    @Test("a channel whose subscription failed after its creation is found and used", .behaviour(87))
    func subscriptionFailed() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let wanted = WantedChannel.content(BeastWorld.journal).creation(for: world.account)
        let created = try #require(try await world.client.channels.create(wanted).id)
        _ = try await world.client.channels.unsubscribe(from: created)
        world.wire.fail("/subscribe", times: 1)
        await #expect(throws: AppNetError.self) { try await manager.privateChannel(ofType: BeastWorld.journal) }
        #expect(try await manager.channels().isEmpty)
        world.wire.forget()
        #expect(try await manager.privateChannel(ofType: BeastWorld.journal).id == created)
        #expect(!world.wire.requests.contains { $0.hasPrefix("POST") && !$0.contains("subscribe") })
        #expect(try await world.client.channels.get(created).youSubscribed == true)
    }

    @Test("a deactivated channel is removed from the store", .behaviour(92))
    func deactivated() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let target = try await manager.privateChannel(ofType: BeastWorld.journal)
        let actions = try await manager.actionChannel(ofType: "com.example.favorite", target: target.id)
        try await manager.deactivate(actions.id)
        #expect(try await manager.channels().map(\.id) == [target.id])
        let next = try await manager.actionChannel(ofType: "com.example.favorite", target: target.id)
        #expect(next.id != actions.id)
    }

    @Test("a channel with unsent messages is not deactivated")
    func deactivatedWithUnsent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal)
        try await manager.insertUnsent(in: channel.id)
        world.wire.forget()
        let error = await #expect(throws: MessageBeastError.self) { try await manager.deactivate(channel.id) }
        #expect(error?.kind == .blocked)
        #expect(world.wire.requests == [])
    }

    // MARK: Several channels

    @Test("an action channel that cannot be initialized is reported, and the earlier ones are usable", .behaviour(89))
    func secondFails() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let sync = ChannelSyncManager(
            manager: manager,
            specs: TargetWithActionChannelsSpecSet(
                target: ChannelSpec(type: BeastWorld.journal),
                actionTypes: ["a", "b"]
            )
        )
        let creations = Counter()
        world.wire.set { request in
            guard Wire.line(request).hasPrefix("POST"), !Wire.line(request).contains("subscribe"),
                creations.increment() == 3
            else { return .pass }
            return .fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "no network"))
        }
        let error = await #expect(throws: ChannelInitializationError.self) { try await sync.initializeChannels() }
        #expect(error?.actionType == "b")
        #expect(await sync.channels.count == 2)
        #expect(await sync.targetChannel?.type == BeastWorld.journal)
        #expect(await sync.actionChannels.keys.sorted() == ["a"])
        try await sync.initializeChannels()
        #expect(await sync.actionChannels.keys.sorted() == ["a", "b"])
    }

    @Test("channels remain usable while they are initialized again")
    func initializedAgain() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let types = ["com.example.one", "com.example.two"]
        let sync = ChannelSyncManager(manager: manager, specs: ChannelSpecSet(types.map { ChannelSpec(type: $0) }))
        try await sync.initializeChannels()
        let ids = await sync.channels.map(\.id)
        try await manager.deactivate(ids[1])
        let gate = Signal<Void>()
        let isCreation: @Sendable (String) -> Bool = { $0.hasPrefix("POST") && !$0.contains("/subscribe") }
        world.wire.forget()
        world.wire.set { isCreation(Wire.line($0)) ? .hold(gate) : .pass }
        let again = Task { try await sync.initializeChannels() }
        try await eventually { world.wire.requests.contains(where: isCreation) }
        #expect(await sync.channels.map(\.id) == ids)
        gate.settle()
        try await again.value
        #expect(await sync.channels.map(\.id).first == ids[0])
        #expect(await sync.channels.map(\.id).last != ids[1])
        await manager.stop()
    }

    @Test("plain channels are synchronized in order and reported by id", .behaviour(90, 91))
    func plainChannels() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let types = ["com.example.one", "com.example.two", "com.example.three"]
        let sync = ChannelSyncManager(manager: manager, specs: ChannelSpecSet(types.map { ChannelSpec(type: $0) }))
        try await sync.initializeChannels()
        let ids = await sync.channels.map(\.id)
        for id in ids { try await world.fill(id, 2) }
        try await manager.insertUnsent(in: ids[1])
        let first = "channels/\(ids[0])/"
        world.wire.set { request in
            guard request.method == .post || Wire.line(request).contains(first) else { return .pass }
            return .fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "no network"))
        }
        let results = try await sync.fetchNewest()
        #expect(results.results.map(\.channel.id) == ids)
        #expect(results[ids[0]]?.error is AppNetError)
        #expect(results[ids[1]]?.blockingWork == BlockingWork(unsent: 1, pendingDeletions: 0))
        #expect(results[ids[2]]?.summary?.inserted == 2)
    }

    @Test("a full sync that was interrupted is only resumed on request", .behaviour(9))
    func declined() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(6, of: manager)
        var steps = manager.fullSync(of: channel).makeAsyncIterator()
        _ = try await steps.next()
        let sync = ChannelSyncManager(manager: manager, specs: ChannelSpecSet([ChannelSpec(type: BeastWorld.journal)]))
        try await sync.initializeChannels()
        world.wire.forget()
        let begun = Guarded<[(state: FullSyncState, requests: Int)]>([])
        let note: @Sendable (FullSyncState) async -> Void = { state in
            begun.withLock { $0.append((state, world.wire.requests.count)) }
        }
        #expect(try await sync.checkFullSync(resumes: false, willRun: note) == .started)
        #expect(world.wire.requests == [])
        #expect(try await sync.checkFullSync(willRun: note) == .started)
        #expect(try await sync.checkFullSync(willRun: note) == .complete)
        // The app is told once, before the first request.
        #expect(begun.withLock { $0.map(\.state) } == [.started])
        #expect(begun.withLock { $0.map(\.requests) } == [0])
        #expect(try await world.stored(channel, by: manager).count == 6)
    }
}
