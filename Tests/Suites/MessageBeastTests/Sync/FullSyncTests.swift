import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Full sync of a channel")
struct FullSyncTests {
    @Test("a full sync of an empty channel takes one request and is complete", .behaviour(1))
    func empty() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let progress = try await manager.fullSync(of: channel).run()
        #expect(world.wire.requests.count == 1)
        #expect(progress == SyncProgress(channelID: channel, pages: 1, messages: 0, isComplete: true))
        #expect(try await manager.fullSyncState(of: channel) == .complete)
        #expect(try await world.stored(channel, by: manager) == [])
    }

    @Test("a full sync of 450 messages takes three requests with falling bounds", .behaviour(2))
    func pages() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(450, of: manager)
        var progress: [SyncProgress] = []
        for try await step in manager.fullSync(of: channel) { progress.append(step) }
        let pages = world.wire.pages
        #expect(pages.map { $0["count"] } == ["200", "200", "200"])
        let bounds = pages.map { $0["before_id"].flatMap { Int($0) } }
        #expect(bounds[0] == nil)
        #expect(try #require(bounds[1]) > (try #require(bounds[2])))
        #expect(progress.map(\.messages) == [200, 400, 450])
        #expect(progress.map(\.isComplete) == [false, false, true])
        #expect(try await world.stored(channel, by: manager).count == 450)
    }

    @Test("a killed full sync continues at the stored cursor and fetches no page twice", .behaviour(3))
    func resumed() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let first = try world.manager(file) { $0.pageSize = 20 }
        let channel = try await world.filledJournal(50, of: first)
        var steps = first.fullSync(of: channel).makeAsyncIterator()
        _ = try await steps.next()
        _ = try await steps.next()
        // The first engine is abandoned, not stopped, as by a kill.
        let lowest = try #require(try await world.stored(channel, by: first).last)
        world.wire.forget()
        let second = try world.manager(file) { $0.pageSize = 20 }
        #expect(try await second.fullSyncState(of: channel) == .started)
        try await second.fullSync(of: channel).run()
        #expect(world.wire.pages.map { $0["before_id"] } == ["\(lowest)"])
        #expect(try await world.stored(channel, by: second).count == 50)
    }

    @Test("a failed full sync keeps the state started and the first page", .behaviour(4))
    func failed() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 20 }
        let channel = try await world.filledJournal(50, of: manager)
        world.wire.fail("before_id=")
        await #expect(throws: AppNetError.self) { try await manager.fullSync(of: channel).run() }
        #expect(try await manager.fullSyncState(of: channel) == .started)
        #expect(try await world.stored(channel, by: manager).count == 20)
        // One request for the first page, five attempts for the second.
        #expect(world.wire.pages.count == 6)
        #expect(world.clock.requestedSleeps.count == 4)
    }

    @Test("a full sync ends if the server repeats a page", .behaviour(5))
    func repeating() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 20 }
        let channel = try await world.filledJournal(50, of: manager)
        let page = """
            {"meta": {"code": 200, "min_id": "7", "max_id": "9", "more": true}, "data": [
                {"id": "9", "channel_id": "\(channel)", "text": "a"}, {"id": "7", "channel_id": "\(channel)", "text": "b"}
            ]}
            """
        world.wire.set { _ in .respond(.json(page)) }
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fullSync(of: channel).run() }
        #expect(error?.kind == .protocolViolation)
        #expect(world.wire.pages.count == 2)
        #expect(try await manager.fullSyncState(of: channel) == .started)
    }

    @Test("a full sync pages back-dated messages by id and stores them once", .behaviour(6, 35))
    func backDated() async throws {
        let world = try await BeastWorld()
        var configuration = MessageManagerConfiguration.everything
        configuration.dateAdapter = .ohaiDisplayDate
        let manager = try world.manager(configuration: configuration) { $0.pageSize = 20 }
        let channel = try await world.filledJournal(50, of: manager) { number in
            // Each is dated a day before the one that was written before it.
            let date = Date(timeIntervalSince1970: 1_600_000_000 - Double(number) * 86_400)
            var message = Message(text: "Message \(number)")
            message.addDisplayDate(date)
            return .init(text: message.text, annotations: (message.annotations ?? []).map(\.document))
        }
        try await manager.fullSync(of: channel).run()
        let stored = try await world.stored(channel, by: manager)
        #expect(stored.count == 50)
        #expect(stored == stored.sorted())
        #expect(world.wire.pages.count == 3)
    }

    @Test("a full sync of complete channels makes no request", .behaviour(7))
    func complete() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        world.wire.forget()
        let progress = try await manager.fullSync(of: channel).run()
        #expect(world.wire.requests == [])
        #expect(progress.isComplete)
    }

    @Test(
        "the state of a full sync of several channels is started when one of them is",
        .behaviour(8),
        arguments: [
            ([.complete, .notStarted, .started], .started), ([.complete, .notStarted], .notStarted),
            ([.complete, .complete], .complete), ([], .complete), ([.started, .notStarted], .started),
        ] as [([FullSyncState], FullSyncState)]
    )
    func aggregate(_ states: [FullSyncState], _ expected: FullSyncState) {
        #expect(FullSyncState(of: states) == expected)
    }

    @Test("unsent messages block a full sync before the first request", .behaviour(10))
    func blocked() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.insertUnsent(in: channel)
        world.wire.fail("POST ")
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fullSync(of: channel).run() }
        #expect(error?.kind == .blocked)
        #expect(error?.blockingWork == BlockingWork(unsent: 1, pendingDeletions: 0))
        #expect(world.wire.pages == [])
        #expect(try await manager.fullSyncState(of: channel) == .notStarted)
    }

    @Test("a message that is written while a full sync fetches a page is kept", .behaviour(11))
    func writtenMeanwhile() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(5, of: manager)
        var steps = manager.fullSync(of: channel).makeAsyncIterator()
        _ = try await steps.next()
        let gate = Signal<Void>()
        world.wire.set { _ in .hold(gate) }
        let progress = steps.progress
        let sync = steps.sync
        async let second = {
            var steps = FullSync.Iterator(sync: sync, progress: progress)
            return try await steps.next()
        }()
        try await eventually { world.wire.requests.count == 2 }
        try await manager.insertUnsent(in: channel)
        world.wire.fail("POST ")
        gate.settle()
        #expect(try await second?.messages == 4)
        #expect(try await world.stored(channel, by: manager).count == 5)
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fullSync(of: channel).run() }
        #expect(error?.kind == .blocked)
    }

    @Test("a cancelled full sync makes no further request", .behaviour(14))
    func cancelled() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(9, of: manager)
        let task = Task {
            for try await _ in manager.fullSync(of: channel) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(world.wire.pages.count == 1)
        #expect(try await manager.fullSyncState(of: channel) == .started)
        #expect(try await world.stored(channel, by: manager).count == 2)
    }

    @Test("a full sync always requests annotations, and its parameters have defaults", .behaviour(13))
    func parameters() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.fullSync(of: channel).run()
        let queries = world.wire.pages
        #expect(queries.count == 2)
        for query in queries {
            #expect(query["include_message_annotations"] == "1")
            #expect(query["include_deleted"] == "0")
            #expect(query["include_machine"] == "1")
        }
        #expect(queries[1]["before_id"] != nil)
    }

    @Test("a full sync does not store an invalid page", arguments: WrongPage.all)
    func wrong(_ page: WrongPage) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let text = page.document.replacingOccurrences(of: "CHANNEL", with: channel.text)
        world.wire.set { _ in .respond(.json(text)) }
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fullSync(of: channel).run() }
        #expect(error?.kind == .protocolViolation)
        #expect(try await world.stored(channel, by: manager) == [])
    }

    struct WrongPage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: String

        init(_ name: String, meta: String = #""min_id": "1", "max_id": "9", "more": false"#, _ messages: String) {
            testDescription = name
            document = #"{"meta": {"code": 200, \#(meta)}, "data": [\#(messages)]}"#
        }

        static let all = [
            WrongPage("only an id that is no number", #"{"id": "x", "channel_id": "CHANNEL", "text": "a"}"#),
            WrongPage("only a negative id", #"{"id": "-4", "channel_id": "CHANNEL", "text": "a"}"#),
            WrongPage(
                "ids that rise",
                #"{"id": "4", "channel_id": "CHANNEL", "text": "a"}, {"id": "5", "channel_id": "CHANNEL", "text": "b"}"#
            ),
            WrongPage(
                "an id twice, and ids that rise",
                #"{"id": "4", "channel_id": "CHANNEL", "text": "a"}, {"id": "4", "channel_id": "CHANNEL", "text": "b"}, "#
                    + #"{"id": "5", "channel_id": "CHANNEL", "text": "c"}"#
            ),
            WrongPage("only a message of another channel", #"{"id": "4", "channel_id": "1999999", "text": "a"}"#),
            WrongPage("a message above the bounds", #"{"id": "10", "channel_id": "CHANNEL", "text": "a"}"#),
            WrongPage("more without a bound", meta: #""more": true"#, ""),
            WrongPage("a bound that is no number", meta: #""min_id": "a", "max_id": "9", "more": true"#, ""),
        ]
    }
}
