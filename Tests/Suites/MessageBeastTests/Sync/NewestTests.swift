import AppNet
import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Fetching newer and older messages")
struct NewestTests {
    @Test("all newer messages are stored, in pages from the oldest on", .behaviour(15))
    func manyPages() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.fill(channel, 500)
        world.wire.forget()
        let summary = try #require(try await manager.fetchNewest(in: channel).summary)
        #expect(summary.inserted == 500)
        #expect(world.wire.pages.map { $0["count"] } == ["-200", "-200", "-200"])
        #expect(try await manager.newestCursor(of: channel) == ids.last?.number)
        #expect(try await world.stored(channel, by: manager).count == 503)
    }

    @Test("an interrupted fetch of newer messages continues at the stored cursor", .behaviour(16, 17))
    func interrupted() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file) { $0.pageSize = 10 }
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.fill(channel, 50)
        let third = "since_id=\(ids[19])"
        world.wire.fail(third)
        await #expect(throws: AppNetError.self) { try await manager.fetchNewest(in: channel) }
        #expect(try await manager.newestCursor(of: channel) == ids[19].number)
        world.wire.set(nil)
        world.wire.forget()
        let second = try world.manager(file) { $0.pageSize = 10 }
        let summary = try #require(try await second.fetchNewest(in: channel).summary)
        #expect(summary.inserted == 30)
        #expect(world.wire.pages.first?["since_id"] == ids[19].text)
        #expect(world.wire.pages.count == 3)
        #expect(try await world.stored(channel, by: second).count == 53)
    }

    @Test("a complete channel has no older messages to fetch", .behaviour(18))
    func noMore() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(5, of: manager)
        var inserted: [Int] = []
        for _ in 0..<4 { inserted.append(try #require(try await manager.fetchMore(in: channel).summary).inserted) }
        #expect(inserted == [2, 2, 1, 0])
        #expect(world.wire.pages.count == 3)
        #expect(try await manager.fullSyncState(of: channel) == .complete)
    }

    @Test("a filter excludes messages from the store, and the cursor moves on", .behaviour(19, 22))
    func filtered() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(2, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.fill(channel, 3)
        let outcome = try await manager.fetchNewest(in: channel, excluding: { _ in true })
        let summary = try #require(outcome.summary)
        #expect(summary.excluded.compactMap(\.message.id) == ids.reversed())
        #expect(summary.inserted == 0)
        #expect(try await manager.newestCursor(of: channel) == ids.last?.number)
        #expect(try await manager.fetchNewest(in: channel).summary == FetchSummary(pages: 1))
        #expect(try await world.stored(channel, by: manager).count == 2)
    }

    @Test("a failed first fetch of a channel loses nothing", .behaviour(20))
    func failedFirst() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        world.wire.fail("/messages", times: 5)
        await #expect(throws: AppNetError.self) { try await manager.fetchNewest(in: channel) }
        #expect(try await world.stored(channel, by: manager) == [])
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await world.stored(channel, by: manager).count == 3)
    }

    @Test("two callers share one fetch of newer messages", .behaviour(21))
    func shared() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        let gate = Signal<Void>()
        world.wire.set { _ in .hold(gate) }
        async let first = manager.fetchNewest(in: channel)
        try await eventually { world.wire.requests.count == 1 }
        async let second = manager.fetchNewest(in: channel)
        try await eventually { await manager.newestFetches[channel]?.waiterCount == 2 }
        gate.settle()
        let outcomes = try await [first, second]
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0].summary?.inserted == 3)
        #expect(world.wire.pages.count == 1)
    }

    @Test("fetching equal messages changes no row", .behaviour(23))
    func unchanged() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager).map { Message.ID($0) }
        let before = try await manager.page(of: channel).messages
        let changes = try await manager.totalChanges()
        #expect(try await manager.refresh(ids, in: channel) == before)
        #expect(try await manager.totalChanges() == changes)
    }

    @Test("an id above 2^31 is ordered and counted as a number", .behaviour(24))
    func largeIDs() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let low = (1 << 31) - 1
        let page = """
            {"meta": {"code": 200, "min_id": "\(low)", "max_id": "\(low + 2)", "more": false}, "data": [
                {"id": "\(low + 2)", "channel_id": "\(channel)", "text": "a"},
                {"id": "\(low)", "channel_id": "\(channel)", "text": "b"}
            ]}
            """
        world.wire.set { _ in .respond(.json(page)) }
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await world.stored(channel, by: manager) == [low + 2, low])
        #expect(try await manager.newestCursor(of: channel) == low + 2)
    }

    @Test("unsent messages block fetches, but not reading and refreshing", .behaviour(60))
    func blocked() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let id = try #require(try await world.stored(channel, by: manager).first)
        try await manager.insertUnsent(in: channel)
        world.wire.fail("POST ")
        world.wire.forget()
        let work = BlockingWork(unsent: 1, pendingDeletions: 0)
        #expect(try await manager.fetchNewest(in: channel) == .blocked(work))
        #expect(world.wire.pages == [])
        guard case .refreshed = try await manager.refresh(Message.ID(id), in: channel) else {
            Issue.record("the message is there")
            return
        }
        #expect(try await manager.search(text: "Message", in: channel).count == 3)
    }

    @Test("unsent messages do not block fetches if the policy allows it")
    func unblocked() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.fetchPolicy = .fetchAnyway }
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.insertUnsent(in: channel)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 3)
    }

    @Test("a fetch respects the delay that the server asks for")
    func rateLimited() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        let count = Counter()
        world.wire.set { _ in
            count.increment() > 1
                ? .pass : .respond(.json(#"{"meta": {"code": 429}}"#, status: 429, fields: [.retryAfter: "50"]))
        }
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 3)
        #expect(world.clock.requestedSleeps == [.seconds(50)])
    }

    @Test("fetches of one channel run one at a time")
    func serial() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(6, of: manager)
        async let first = manager.fetchMore(in: channel)
        async let second = manager.fetchMore(in: channel)
        async let third = manager.fetchNewest(in: channel)
        let summaries = try await [first, second, third].compactMap(\.summary)
        #expect(summaries.map(\.inserted).reduce(0, +) == (try await world.stored(channel, by: manager).count))
        let bounds = world.wire.pages.compactMap { $0["before_id"] }
        #expect(Set(bounds).count == bounds.count)
    }
}
