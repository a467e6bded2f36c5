import AppNet
import AppNetServer
import HeliumConcurrency
import HeliumCore
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Filters of channels", .timeLimit(.minutes(5)))
struct ChannelFilterTests {
    private static func isNoise(_ message: MessagePlus) -> Bool { message.message.text?.hasPrefix("Noise") == true }

    private static let spec = ChannelSpec(type: BeastWorld.journal, filter: { isNoise($0) })

    /// The calls and events that fetch messages of a channel.
    enum Fetch: String, CaseIterable, Sendable {
        case fullSync, managerFullSync, newest, managerNewest, newestWithFilter, more, post, news
    }

    @Test("what the filter of a channel excludes is not stored by any fetch", arguments: Fetch.allCases)
    func excluded(by fetch: Fetch) async throws {
        let world = try await BeastWorld()
        let reports = Reports()
        var options = MessageManager.Options()
        // The page of the newest messages has one note, and the page below it the other.
        if fetch == .more { options.pageSize = 2 }
        let manager = try MessageManager(
            client: world.client,
            account: world.account,
            store: .memory,
            options: options,
            connectivity: reports
        )
        try await manager.start()
        let channel = try await world.emptyJournal()
        let sync = ChannelSyncManager(manager: manager, specs: ChannelSpecSet([Self.spec]))
        try await sync.initializeChannels()
        try await world.fill(channel, 4) { .init(text: $0 % 2 == 0 ? "Noise \($0)" : "Note \($0)") }
        var posted: [String] = []
        switch fetch {
        case .fullSync: try await sync.runFullSync()
        case .managerFullSync: try await manager.fullSync(of: channel).run()
        case .newest: _ = try await sync.fetchNewest()
        case .managerNewest: _ = try await manager.fetchNewest(in: channel)
        case .newestWithFilter: _ = try await manager.fetchNewest(in: channel, excluding: { _ in false })
        case .more:
            _ = try await manager.fetchNewest(in: channel)
            _ = try await manager.fetchMore(in: channel)
        case .post:
            posted = ["Noise of my own"]
            #expect(try await manager.post(Message(text: posted[0]), in: channel).message.text == posted[0])
        case .news:
            await reports.report(.newMessages(channel))
            try await eventually { try await !manager.page(of: channel).messages.isEmpty }
        }
        let texts = try await manager.page(of: channel, limit: nil).messages.compactMap(\.message.text)
        let others = texts.filter { !posted.contains($0) }
        #expect(others.count == 2 && others.allSatisfy { $0.hasPrefix("Note") })
        #expect(texts.count == others.count + posted.count)
        await manager.stop()
    }

    @Test("the filter of one type does not exclude messages of channels of other types")
    func otherType() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let other = ChannelSpec(type: "com.example.notes", filter: { _ in true })
        let sync = ChannelSyncManager(manager: manager, specs: ChannelSpecSet([other]))
        let channel = try await world.filledJournal(3, of: manager)
        try await sync.initializeChannels()
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 3)
        await manager.stop()
    }
}

/// A connectivity that a test speaks for.
private final class Reports: Connectivity {
    typealias Report = @Sendable (ConnectivityChange) async -> Void

    private let reporter = Signal<Report>()

    func run(clock: any HeliumClock, _ report: @escaping Report) async {
        reporter.settle(.success(report))
        // Until the engine cancels it.
        _ = try? await Signal<Void>().value()
    }

    func report(_ change: ConnectivityChange) async {
        if let report = try? await reporter.value() { await report(change) }
    }
}
