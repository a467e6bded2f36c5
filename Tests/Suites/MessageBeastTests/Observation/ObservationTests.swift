import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumDatabase
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Observing values of the store")
struct ObservationTests {
    @Test("a stored page of 200 is one element of an observation", .behaviour(126))
    func page() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(200, of: manager)
        let recorder = ObservationRecorder(manager.observeMessages(in: channel, limit: nil))
        try await recorder.wait(for: 1)
        _ = try await manager.fetchNewest(in: channel)
        try await recorder.wait(for: 2)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await recorder.wait(for: 3)
        #expect(recorder.values.map(\.count) == [0, 200, 201])
        for messages in recorder.values {
            let keys = messages.map { ($0.cursor.displayDate, $0.cursor.sortKey) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.0 > $0.1 })
        }
        #expect(recorder.values.last == (try await manager.page(of: channel, limit: nil).messages))
        await manager.stop()
        try await eventually { recorder.hasEnded }
        #expect(recorder.error == nil)
    }

    @Test("an action on 100 messages is one element of an observation", .behaviour(99))
    func batch() async throws {
        let device = try await ActionWorld()
        let targets = try await device.sent(100)
        let all = ObservationRecorder(device.actions.observeActionedMessages(in: device.favorites))
        let one = ObservationRecorder(device.actions.observeIsActioned(targets[0], in: device.favorites))
        try await all.wait(for: 1)
        try await one.wait(for: 1)
        try await device.actions.apply(device.favorites, to: targets, sendsImmediately: false)
        try await all.wait(for: 2)
        try await one.wait(for: 2)
        try await device.actions.remove(device.favorites, from: targets[0])
        try await all.wait(for: 3)
        try await one.wait(for: 3)
        #expect(all.values.map(\.count) == [0, 100, 99])
        #expect(one.values == [false, true, false])
        await device.manager.stop()
    }

    @Test("fetching unchanged messages is no element of an observation", .behaviour(23))
    func unchanged() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(10, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let ids = try await manager.page(of: channel).messages.compactMap(\.message.id)
        let changes = Counter()
        let access = manager.context.database.access
        let observation = try await access.observe(["message", "outbox", "action_spec"]) { changes.increment() }
        let recorder = ObservationRecorder(manager.observeMessages(in: channel))
        try await recorder.wait(for: 1)
        _ = try await manager.refresh(ids, in: channel)
        _ = try await manager.fetchNewest(in: channel)
        #expect(changes.count == 0)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await recorder.wait(for: 2)
        #expect(changes.count == 1)
        #expect(recorder.values.map(\.count) == [10, 11])
        withExtendedLifetime(observation) {}
        await manager.stop()
    }

    @Test("a slow consumer of an observation gets the newest value next")
    func coalesced() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        var iterator = manager.observeMessages(in: channel).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 0)
        for text in ["Tea", "Coffee", "Water"] {
            _ = try await manager.create(Message(text: text), in: channel, sendsImmediately: false)
        }
        #expect(try await iterator.next()?.count == 3)
        await manager.stop()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    // MARK: The end

    @Test("a cancelled observation delivers nothing more, and leaves nothing behind", .behaviour(127))
    func cancelled() async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        let manager = try world.manager(.file(folder.path("journal.sqlite")))
        let channel = try await world.filledJournal(0, of: manager)
        let observers = manager.context.observers
        let recorders = (0..<3).map { _ in ObservationRecorder(manager.observeMessages(in: channel)) }
        for recorder in recorders { try await recorder.wait(for: 1) }
        #expect(observers.count == 3)
        #expect(observers.isPolling)
        for recorder in recorders { recorder.cancel() }
        try await eventually { observers.count == 0 }
        try await eventually { recorders.allSatisfy(\.hasEnded) }
        #expect(!observers.isPolling)
        try await eventually { world.clock.sleeperCount == 0 }
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        #expect(recorders.map(\.values.count) == [1, 1, 1])
        #expect(recorders.allSatisfy { $0.error == nil })
        // An iteration that is left begins nothing that has to be cancelled.
        for try await _ in manager.observeMessages(in: channel) { break }
        try await eventually { observers.count == 0 && !observers.isPolling && world.clock.sleeperCount == 0 }
        await manager.stop()
    }

    @Test("stopping the engine ends its observations", .behaviour(127), arguments: [true, false])
    func stopped(_ isReleased: Bool) async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        var manager: MessageManager? = try world.manager(.file(folder.path("journal.sqlite")))
        let channel = try await world.filledJournal(0, of: try #require(manager))
        let observation = try #require(manager).observeMessages(in: channel)
        let recorder = ObservationRecorder(observation)
        try await recorder.wait(for: 1)
        if !isReleased { await manager?.stop() }
        manager = nil
        try await eventually { recorder.hasEnded }
        #expect(recorder.error == nil)
        try await eventually { world.clock.sleeperCount == 0 }
        var later = observation.makeAsyncIterator()
        #expect(try await later.next() == nil)
    }

    @Test("an observation that cannot read throws, and ends")
    func failing() async throws {
        let device = try await ActionWorld()
        let recorder = ObservationRecorder(device.actions.observeIsActioned("1", in: "9999"))
        try await eventually { recorder.hasEnded }
        #expect(recorder.error?.kind == .notFound)
        #expect(device.manager.context.observers.count == 0)
        let pnut = try await BeastWorld(dialect: .pnut)
        let actions = try pnut.manager().actions
        var iterator = actions.observeActionedMessages(in: "1").makeAsyncIterator()
        let error = await #expect(throws: MessageBeastError.self) { try await iterator.next() }
        #expect(error?.kind == .unsupportedByDialect)
        #expect(try await iterator.next() == nil)
        await device.manager.stop()
    }

    // MARK: Other processes, and simulations

    @Test("changes by another engine of the file are observed within a second", .behaviour(126))
    func otherEngine() async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let first = try world.manager(file)
        let channel = try await world.filledJournal(0, of: first)
        let second = try world.manager(file)
        let recorder = ObservationRecorder(first.observeMessages(in: channel))
        try await recorder.wait(for: 1)
        for count in 1...2 {
            _ = try await second.create(Message(text: "Tea \(count)"), in: channel, sendsImmediately: false)
            try await eventually { world.clock.sleeperCount == 1 }
            world.clock.advance(by: .milliseconds(500))
            try await recorder.wait(for: count + 1)
        }
        // Nothing was written: nothing is read.
        try await eventually { world.clock.sleeperCount == 1 }
        world.clock.advance(by: .milliseconds(500))
        _ = try await second.create(Message(text: "Tea 3"), in: channel, sendsImmediately: false)
        try await first.checkForChangesOfOtherProcesses()
        try await recorder.wait(for: 4)
        #expect(recorder.values.map(\.count) == [0, 1, 2, 3])
        for manager in [first, second] { await manager.stop() }
    }

    @Test("a database that is used on the caller's thread is observed too")
    func inline() async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let manager = try MessageManager(
            client: world.client,
            account: world.account,
            database: BeastDatabase(DatabaseAccess(DatabaseQueue(), .inline), account: world.account.text),
            owners: SoleOwner(own: "a"),
            configuration: .everything,
            options: MessageManager.Options(),
            geocoder: nil
        )
        let channel = try await world.filledJournal(5, of: manager)
        let recorder = ObservationRecorder(manager.observeMessages(in: channel))
        try await recorder.wait(for: 1)
        _ = try await manager.fetchNewest(in: channel)
        try await recorder.wait(for: 2)
        #expect(recorder.values.map(\.count) == [0, 5])
        #expect(!manager.context.observers.isPolling)
        recorder.cancel()
        try await eventually { manager.context.observers.count == 0 }
        await manager.stop()
    }
}
