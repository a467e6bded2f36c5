import AppNet
import Foundation
import HeliumCore
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Observed values")
struct ObservedValueTests {
    private static func refuse(_ request: TransportRequest) -> Wire.Treatment {
        guard request.method == .post else { return .pass }
        return .respond(.json(#"{"meta": {"code": 403, "error_message": "no"}}"#, status: 403))
    }

    @Test("an observed message keeps its identity from creation to deletion, and the outbox shows its state")
    func life() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let counts = ObservationRecorder(manager.observeUnsentCount(in: channel))
        let total = ObservationRecorder(manager.observeUnsentCount())
        let parked = ObservationRecorder(manager.observeParkedMessages())
        let outbox = ObservationRecorder(manager.observeOutbox(of: channel))
        for recorder in [counts, total] { try await recorder.wait(for: 1) }
        try await parked.wait(for: 1)
        try await outbox.wait(for: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let id = try #require(created.message.id)
        let message = ObservationRecorder(manager.observeMessage(id: id))
        try await message.wait(for: 1)
        try await eventually { outbox.values.last?.map(\.state) == [.queued] }
        world.wire.set(Self.refuse)
        try await manager.sendAll(in: channel)
        try await eventually { parked.values.last?.count == 1 }
        let reason = try #require(parked.values.last?.first?.reason)
        try await eventually { outbox.values.last?.map(\.state) == [.parked(reason)] }
        #expect(outbox.values.last == (try await manager.outbox(of: channel)))
        try await eventually { counts.values.last == 1 }
        world.wire.set(nil)
        try await manager.retry(id)
        try await eventually { counts.values.last == 0 && total.values.last == 0 }
        try await eventually { message.values.last??.state == .sent }
        try await eventually { parked.values.last == [] && outbox.values.last == [] }
        try await manager.delete(id)
        try await eventually { message.values.last == .some(nil) }
        #expect(Set(message.values.compactMap { $0?.id }) == [created.id])
        #expect(counts.values == [0, 1, 0])
        await manager.stop()
    }

    @Test("the observed state of a sync changes with its pages and with unsent messages")
    func sync() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.pageSize = 2 }
        let channel = try await world.filledJournal(3, of: manager)
        let recorder = ObservationRecorder(manager.observeSyncStatus(of: channel))
        try await recorder.wait(for: 1)
        var pages = manager.fullSync(of: channel).makeAsyncIterator()
        _ = try await pages.next()
        try await eventually { recorder.values.last?.fullSyncState == .started }
        _ = try await pages.next()
        try await eventually { recorder.values.last?.fullSyncState == .complete }
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await eventually { recorder.values.last?.blockingWork == BlockingWork(unsent: 1, pendingDeletions: 0) }
        try await manager.sendAll(in: channel)
        _ = try await manager.reconcile(channel)
        try await eventually { recorder.values.last?.lastReconciled != nil }
        #expect(recorder.values.first?.fullSyncState == .notStarted)
        #expect(recorder.values.last == (try await manager.syncStatus(of: channel)))
        #expect(try await manager.syncStatus(of: "9999").fullSyncState == .notStarted)
        await manager.stop()
    }

    @Test("observed searches, hashtags, annotations and places follow the store, and are empty after a wipe")
    func lookups() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let home = CustomPlace(id: "home", place: Place(name: "Home", latitude: 1, longitude: 2))
        let location = DisplayLocation(name: "Home", latitude: 1, longitude: 2, source: .ohai)
        let hits = ObservationRecorder(manager.observeSearch(text: "tea", in: channel))
        let tags = ObservationRecorder(manager.observeHashtags(in: channel))
        let places = ObservationRecorder(manager.observeDisplayLocations(in: channel))
        let tagged = ObservationRecorder(manager.observeMessages(in: channel, hashtag: "anna"))
        let placed = ObservationRecorder(manager.observeMessages(in: channel, at: location))
        let annotated = ObservationRecorder(
            manager.observeMessages(in: channel, annotationType: MessageBeastNames.oembed)
        )
        func counts() -> [Int?] {
            [
                hits.values.last?.count, tags.values.last?.count, places.values.last?.count, tagged.values.last?.count,
                placed.values.last?.count, annotated.values.last?.count,
            ]
        }
        try await eventually { counts() == [0, 0, 0, 0, 0, 0] }
        var message = Message(text: "Tea with #Anna")
        try message.addLocation(home)
        message.annotations?.append(
            Annotation(
                type: MessageBeastNames.oembed,
                value: ["version": "1.0", "type": "photo", "url": "https://example.com/a.png", "width": 1, "height": 1]
            )
        )
        _ = try await manager.create(message, in: channel, sendsImmediately: false)
        try await eventually { counts() == [1, 1, 1, 1, 1, 1] }
        try await manager.wipe()
        try await eventually { counts() == [0, 0, 0, 0, 0, 0] }
        await manager.stop()
    }

    @Test("ids, dates, patterns, names of places, annotations and the cached places are followed too")
    func moreLookups() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let dated = ObservationRecorder(manager.observeMessages(in: channel, from: nil, to: nil))
        let hits = ObservationRecorder(manager.observeSearch(pattern: "tea NOT coffee", in: channel))
        let named = ObservationRecorder(manager.observeSearch(placeName: "home", in: channel))
        let annotated = ObservationRecorder(
            manager.observeAnnotations(ofType: MessageBeastNames.oembed, in: channel)
        )
        let places = ObservationRecorder(manager.observePlaces(matching: "home"))
        let near = ObservationRecorder(manager.observePlaces(latitude: 1, longitude: 2))
        func counts() -> [Int?] {
            [
                dated.values.last?.count, hits.values.last?.count, named.values.last?.count,
                annotated.values.last?.uses.count, places.values.last?.count, near.values.last?.count,
            ]
        }
        try await eventually { counts() == [0, 0, 0, 0, 0, 0] }
        var message = Message(text: "Tea")
        try message.addLocation(CustomPlace(id: "home", place: Place(name: "Home", latitude: 1, longitude: 2)))
        message.annotations?.append(
            Annotation(
                type: MessageBeastNames.oembed,
                value: ["version": "1.0", "type": "photo", "url": "https://example.com/a.png", "width": 1, "height": 1]
            )
        )
        let created = try await manager.create(message, in: channel, sendsImmediately: false)
        let id = try #require(created.message.id)
        let known = ObservationRecorder(manager.observeMessages(ids: [id, "9999"]))
        try await eventually { counts() == [1, 1, 1, 1, 1, 1] && known.values.last?.count == 1 }
        #expect(places.values.last?.map(\.id) == ["home"] && near.values.last?.map(\.id) == ["home"])
        // The place alone changes.
        try await manager.removePlace("home")
        try await eventually { counts() == [1, 1, 1, 1, 0, 0] }
        try await manager.delete(id)
        try await eventually { counts() == [0, 0, 0, 0, 0, 0] && known.values.last?.count == 0 }
        await manager.stop()
    }

    @Test("an invalid pattern ends its observation with an error")
    func invalidPattern() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        var iterator = manager.observeSearch(pattern: "\"tea", in: channel).makeAsyncIterator()
        let error = await #expect(throws: MessageBeastError.self) { try await iterator.next() }
        #expect(error?.kind == .invalidPattern)
        #expect(try await iterator.next() == nil)
        await manager.stop()
    }

    @Test("an observation leaves out what its filter excludes, as a page does")
    func filtered() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        let all = ObservationRecorder(manager.observeMessages(in: channel))
        let sent = ObservationRecorder(manager.observeMessages(in: channel, excluding: { $0.isUnsent }))
        let tags = ObservationRecorder(manager.observeHashtags(in: channel, excluding: { $0.isUnsent }))
        try await sent.wait(for: 1)
        try await tags.wait(for: 1)
        _ = try await manager.create(Message(text: "Tea #tag"), in: channel, sendsImmediately: false)
        try await eventually { all.values.last?.count == 1 }
        let page = try await manager.page(of: channel, excluding: { $0.isUnsent })
        #expect(page.messages.isEmpty && page.excludedCount == 1)
        try await manager.sendAll(in: channel)
        try await eventually { sent.values.last?.count == 1 && tags.values.last?.count == 1 }
        #expect(sent.values.map(\.count) == [0, 1])
        #expect(tags.values.map(\.count) == [0, 1])
        await manager.stop()
    }

    @Test("rows that are derived again are observed, also if no message changes")
    func derivedAgain() async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        var configuration = MessageManagerConfiguration.everything
        configuration.annotationTypes = []
        let first = try world.manager(file, configuration: configuration)
        try await first.start()
        let channel = try await world.filledJournal(1, of: first) { _ in
            .init(text: "Tea", annotations: [["type": "com.example.mood", "value": ["level": 1]]])
        }
        _ = try await first.fetchNewest(in: channel)
        await first.stop()
        configuration.annotationTypes = ["com.example.mood"]
        let second = try world.manager(file, configuration: configuration)
        let recorder = ObservationRecorder(second.observeMessages(in: channel, annotationType: "com.example.mood"))
        try await recorder.wait(for: 1)
        try await second.start()
        try await recorder.wait(for: 2)
        #expect(recorder.values.map(\.count) == [0, 1])
        await second.stop()
    }
}
