import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Life cycle of an engine")
struct LifecycleTests {
    @Test("two accounts in one process have separate stores", .behaviour(129))
    func twoAccounts() async throws {
        let world = try await BeastWorld()
        let (first, second) = (try world.manager(), try world.manager())
        let channel = try await world.filledJournal(3, of: first)
        let events = second.events
        try await first.fullSync(of: channel).run()
        #expect(try await second.channels() == [])
        #expect(try await second.page(of: channel).messages == [])
        await second.stop()
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 0)
    }

    @Test("the response to a request before a wipe is dropped", .behaviour(110, 130))
    func wiped() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        try await world.fill(channel, 2)
        let gate = Signal<Void>()
        world.wire.set { _ in .hold(gate) }
        world.wire.forget()
        let fetch = Task { try await manager.fetchNewest(in: channel) }
        try await eventually { world.wire.requests.count == 1 }
        try await manager.wipe()
        gate.settle()
        let error = await #expect(throws: MessageBeastError.self) { try await fetch.value }
        #expect(error?.kind == .wiped)
        #expect(try await manager.channels() == [])
        world.wire.set(nil)
        // It works on, and old words find nothing.
        let again = try await manager.privateChannel(ofType: BeastWorld.journal).id
        try await world.fill(again, 1) { _ in .init(text: "New") }
        #expect(try await manager.search(text: "Message", in: again) == [])
        try await manager.fullSync(of: again).run()
        #expect(try await manager.search(text: "Message", in: again).count == 5)
        #expect(try await manager.check() == [])
    }

    @Test("a stopped engine writes nothing, and can still be read")
    func stopped() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        try await manager.start()
        _ = try await manager.fetchNewest(in: channel)
        await manager.stop()
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fetchNewest(in: channel) }
        #expect(error?.kind == .stopped)
        #expect(try await manager.page(of: channel).messages.count == 3)
    }

    @Test("an engine ends with its work when nothing refers to it")
    func dropped() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        weak var dropped: MessageManager?
        let channel: AppNetChannel.ID
        do {
            let manager = try world.manager(file, geocoder: Nowhere())
            dropped = manager
            channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
            try await manager.start()
            world.wire.set { $0.method == .post ? .hold(Signal()) : .pass }
            _ = try await manager.create(Message(text: "Tea"), in: channel)
            try await eventually { world.wire.requests.contains { $0.hasPrefix("POST ") && $0.contains("/messages") } }
        }
        try await eventually { dropped == nil }
        world.wire.set(nil)
        // Its claim is free for the next engine.
        let next = try world.manager(file)
        try await next.sendAll(in: channel)
        #expect(try await next.page(of: channel).messages.first?.state == .sent)
        await next.stop()
    }

    @Test("stopping ends a call to send before another engine may post the message")
    func stoppedWhileSending() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file) { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        _ = try await manager.create(Message(text: "Tea"), in: channel)
        let gate = Signal<Void>()
        world.wire.set { $0.method == .post ? .hold(gate) : .pass }
        world.wire.forget()
        let sending = Task { try await manager.sendAll(in: channel) }
        try await eventually { world.wire.requests.count == 1 }
        await manager.stop()
        world.wire.set(nil)
        let next = try world.manager(file)
        try await next.sendAll(in: channel)
        gate.settle()
        let error = await #expect(throws: MessageBeastError.self) { try await sending.value }
        #expect(error?.kind == .stopped)
        #expect(try await next.page(of: channel).messages.map(\.state) == [.sent])
        let posted = try await world.client.messages.list(in: channel).page(PageBounds(count: 20)).elements
        #expect(posted.map(\.text) == ["Tea"])
        await next.stop()
    }

    @Test("stopping ends an edit that looks for its message, and a call that deletes files", .timeLimit(.minutes(5)))
    func stoppedWhileAsking() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { ($0.sendsAutomatically, $0.maximumSendAttempts) = (false, 1) }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let id = try #require(try await manager.create(Message(text: "Tea"), in: channel).message.id)
        world.wire.loseResponses(times: 1)
        try await manager.sendAll(in: channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == [OutboxTable.unknownOutcome])
        try await manager.writer.write { try FileDeletionTable(database: $0).insert("7") }
        world.wire.set { _ in .hold(Signal()) }
        world.wire.forget()
        let edit = Task { try await manager.edit(id, to: Message(text: "Coffee")) }
        let deletion = Task { try await manager.outbox.files.sendDeletions() }
        try await eventually { world.wire.requests.count == 2 }
        await manager.stop()
        await #expect(throws: MessageBeastError(.stopped, "the engine was stopped")) { try await edit.value }
        await #expect(throws: MessageBeastError(.stopped, "the engine was stopped")) { try await deletion.value }
    }

    private struct Nowhere: Geocoder {
        func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation] { [] }
    }

    @Test("stopping ends a fetch that waits for the network")
    func stoppedWhileFetching() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        world.wire.set { _ in .hold(Signal()) }
        let fetch = Task { try await manager.fetchNewest(in: channel) }
        try await eventually { world.wire.requests.count == 1 }
        await manager.stop()
        await #expect(throws: (any Error).self) { try await fetch.value }
    }

    @Test("messages, files and deletions that wait to be sent are counted", .behaviour(131))
    func pending() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let target = try await manager.privateChannel(ofType: BeastWorld.journal)
        let actions = try await manager.actionChannel(ofType: "a", target: target.id)
        for _ in 0..<2 { try await manager.insertUnsent(in: target.id) }
        try await manager.insertUnsent(in: actions.id)
        try await manager.writer.write { database in
            try database.execute(
                sql: """
                    INSERT INTO pending_message_deletion (message_id, channel_id, queue_seq, parked)
                    VALUES ('5', '6', 1, 0), ('6', '6', 2, 0), ('7', '6', 3, 1);
                    INSERT INTO pending_file_deletion (file_id) VALUES ('7');
                    """
            )
            try database.execute(
                sql: """
                    INSERT INTO pending_file (id, staged_path, type, name, mime, is_public, byte_count, sha256, token, state)
                    VALUES ('a', 'p', 't', 'n', 'm', 0, 1, 's', 'k', 'waiting'),
                        ('b', 'p', 't', 'n', 'm', 0, 1, 's', 'l', 'uploaded')
                    """
            )
        }
        let summary = try await manager.pendingSummary()
        #expect(
            summary
                == PendingSummary(
                    messages: 2,
                    actions: 1,
                    files: 1,
                    deletions: 4,
                    fileDeletions: 1,
                    parkedDeletions: 1,
                    drafts: 0
                )
        )
        try await manager.writer.write { try $0.execute(sql: "UPDATE pending_file_deletion SET parked = 1") }
        #expect(try await manager.pendingSummary().parkedDeletions == 2)
    }

    @Test("a slow subscriber gets the number of events that it missed", .behaviour(128))
    func lagged() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { ($0.pageSize, $0.eventLimit) = (1, 4) }
        let channel = try await world.filledJournal(10, of: manager)
        let slow = manager.events
        let fast = manager.events
        let seen = Counter()
        let reading = Task {
            for await event in fast {
                if case .syncProgress = event { seen.increment() }
                if case .syncFinished = event { break }
            }
        }
        for try await progress in manager.fullSync(of: channel) {
            try await eventually { seen.count == progress.pages }
        }
        await manager.stop()
        await reading.value
        var events: [MessageManager.Event] = []
        for await event in slow { events.append(event) }
        #expect(seen.count == 10)
        // 10 pages and the end, of which the last four were kept.
        #expect(events.first == .lagged(7))
        #expect(events.last == .syncFinished(channel))
        #expect(events.count == 5)
    }

    @Test("the configuration of the service is fetched daily", .behaviour(135))
    func serviceConfiguration() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        #expect(try await manager.serviceConfiguration() == nil)
        #expect(try await manager.updateServiceConfiguration())
        let kept = try #require(try await manager.serviceConfiguration())
        world.clock.advance(by: .seconds(23 * 3600))
        #expect(try await !manager.updateServiceConfiguration())
        world.clock.advance(by: .seconds(3600))
        world.wire.fail("config")
        await #expect(throws: AppNetError.self) { try await manager.updateServiceConfiguration() }
        #expect(try await manager.serviceConfiguration() == kept)
        world.wire.set(nil)
        #expect(try await manager.updateServiceConfiguration())
    }
}
