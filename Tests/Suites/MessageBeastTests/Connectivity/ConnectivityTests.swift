import AppNet
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Connectivity of MessageBeast", .timeLimit(.minutes(5)))
struct ConnectivityTests {
    @Test("nothing is sent while the service is unreachable, and everything when it is back", .behaviour(54))
    func app() async throws {
        let world = try await BeastWorld()
        let connectivity = AppConnectivity(isReachable: true)
        let manager = try MessageManager(
            client: world.client,
            account: world.account,
            store: .memory,
            connectivity: connectivity
        )
        try await manager.start()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        connectivity.isReachable = false
        world.wire.fail()
        try await eventually { manager.outbox.isUnreachable }
        world.wire.forget()
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        guard case .blocked = try await manager.fetchNewest(in: channel) else {
            Issue.record("the fetch was not blocked")
            return
        }
        #expect(world.wire.requests.isEmpty)
        // An explicit call tries in any case.
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.count { $0.hasPrefix("POST ") } == 1)
        #expect(try await manager.page(of: channel).messages.first?.sendAttemptsCount == 0)
        world.wire.set(nil)
        connectivity.isReachable = true
        try await eventually { try await manager.message(id: try #require(created.message.id))?.state == .sent }
        await manager.stop()
    }

    @Test("a user stream reports reachability, and news that is fetched")
    func userStream() async throws {
        try await withEmbeddedServer { server in
            let user = try #require(server.ready.appNet.users.first)
            let configuration = AppNetConfiguration(
                token: Secret(user.token),
                dialect: .appNet,
                baseURL: server.ready.appNet.root,
                userStreamURL: server.ready.appNet.userStream
            )
            let client = try AppNetClient(configuration: configuration)
            let account = try #require(try await client.users.get(.me).id)
            let first = try MessageManager(client: client, account: account, store: .memory)
            let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
            let stream = client.userStream()
            let second = try MessageManager(
                client: client,
                account: account,
                store: .memory,
                connectivity: UserStreamConnectivity(stream: stream, channels: [channel])
            )
            _ = try await second.privateChannel(ofType: BeastWorld.journal)
            try await second.start()
            try await eventually { server.appNet.subscriptionCount > 0 }
            _ = try await first.create(Message(text: "From the other device"), in: channel)
            try await eventually {
                try await second.page(of: channel).messages.map { $0.message.text } == ["From the other device"]
            }
            await second.stop()
            await first.stop()
            await stream.close()
            await client.close()
        }
    }

    @Test("news that arrives after a running fetch read its page is fetched after it")
    func newsDuringFetch() async throws {
        let news = ReportedNews()
        let (world, manager, channel) = try await started(with: news)
        let gate = Signal<Void>()
        world.wire.set { Wire.line($0).contains("/messages?") ? .holdResponse(gate) : .pass }
        await news.report(.newMessages(channel))
        try await eventually { world.wire.heldResponses == 1 }
        try await world.fill(channel, 1)
        await news.report(.newMessages(channel))
        await news.report(.newMessages(channel))
        world.wire.set(nil)
        gate.settle()
        try await eventually { try await world.stored(channel, by: manager).count == 1 }
        await manager.stop()
    }

    @Test("news is fetched again after a call's fetch that began before it")
    func newsDuringCall() async throws {
        let news = ReportedNews()
        let (world, manager, channel) = try await started(with: news)
        let gate = Signal<Void>()
        world.wire.set { Wire.line($0).contains("/messages?") ? .holdResponse(gate) : .pass }
        let call = Task { try await manager.fetchNewest(in: channel) }
        try await eventually { world.wire.heldResponses == 1 }
        try await world.fill(channel, 1)
        await news.report(.newMessages(channel))
        world.wire.set(nil)
        gate.settle()
        _ = try await call.value
        try await eventually { try await world.stored(channel, by: manager).count == 1 }
        await manager.stop()
    }

    @Test("news whose fetch failed is fetched when the service is back")
    func newsAfterFailure() async throws {
        let news = ReportedNews()
        let (world, manager, channel) = try await started(with: news)
        try await world.fill(channel, 1)
        world.wire.fail("/messages?")
        await news.report(.newMessages(channel))
        try await eventually { !world.wire.requests.isEmpty }
        // This joins the fetch of the news, whose further attempts must not find the service back.
        await #expect(throws: AppNetError.self) { try await manager.fetchNewest(in: channel) }
        await news.report(.unreachable)
        world.wire.set(nil)
        #expect(try await world.stored(channel, by: manager).isEmpty)
        await news.report(.reachable)
        try await eventually { try await world.stored(channel, by: manager).count == 1 }
        await manager.stop()
    }

    /// A world, its engine, and an empty channel of it that is synchronized.
    private func started(with news: ReportedNews) async throws -> (BeastWorld, MessageManager, AppNetChannel.ID) {
        let world = try await BeastWorld()
        let manager = try MessageManager(
            client: world.client,
            account: world.account,
            store: .memory,
            connectivity: news
        )
        try await manager.start()
        let channel = try await world.filledJournal(0, of: manager)
        try await news.ready()
        world.wire.forget()
        return (world, manager, channel)
    }
}

/// A connectivity that a test speaks for.
private final class ReportedNews: Connectivity {
    typealias Report = @Sendable (ConnectivityChange) async -> Void

    private let reporter = Signal<Report>()

    func run(clock: any HeliumClock, _ report: @escaping Report) async {
        reporter.settle(.success(report))
        // Until the engine cancels it.
        _ = try? await Signal<Void>().value()
    }

    func ready() async throws { _ = try await reporter.value() }

    func report(_ change: ConnectivityChange) async {
        guard let report = try? await reporter.value() else { return }
        await report(change)
    }
}
