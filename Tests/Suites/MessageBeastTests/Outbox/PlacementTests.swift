import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumServer
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Places and positions of unsent messages, and failing writes")
struct PlacementTests {
    private static func world() async throws -> (BeastWorld, MessageManager, AppNetChannel.ID) {
        let world = try await BeastWorld()
        var configuration = MessageManagerConfiguration.everything
        configuration.dateAdapter = .ohaiDisplayDate
        let manager = try world.manager(configuration: configuration)
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        return (world, manager, channel)
    }

    @Test("a message keeps its position in the list when it is sent", .behaviour(37))
    func position() async throws {
        let (world, manager, channel) = try await Self.world()
        var old = Message(text: "Old")
        old.addDisplayDate(Date(timeIntervalSince1970: 1_600_000_000))
        for message in [Message(text: "One"), old, Message(text: "Two")] {
            _ = try await manager.create(message, in: channel, sendsImmediately: false)
            world.clock.advance(by: .seconds(1))
        }
        func texts() async throws -> [String?] { try await manager.page(of: channel).messages.map(\.message.text) }
        #expect(try await texts() == ["Two", "One", "Old"])
        let dates = try await manager.page(of: channel).messages.map(\.displayDate)
        world.clock.advance(by: .seconds(3600))
        try await manager.sendAll(in: channel)
        #expect(try await texts() == ["Two", "One", "Old"])
        #expect(try await manager.page(of: channel).messages.map(\.displayDate) == dates)
        #expect(try await manager.page(of: channel).messages.allSatisfy { !$0.isUnsent })
        await manager.stop()
    }

    @Test("a check-in at a known place has its name and coordinates without a network", .behaviour(121))
    func checkin() async throws {
        let (world, manager, channel) = try await Self.world()
        let id: Place.ID = "7d1f0c3a-0000-4000-8000-000000000003"
        let place = Annotation.checkin(at: id)
        try await world.fill(channel, 1) { _ in .init(text: "Here", annotations: [place.document]) }
        _ = try await manager.fetchNewest(in: channel)
        let known = try #require(try await manager.page(of: channel).messages.first?.displayLocation)
        world.wire.fail()
        world.wire.forget()
        var message = Message(text: "Again")
        message.addCheckin(factualID: id)
        let created = try await manager.create(message, in: channel, sendsImmediately: false)
        let location = try #require(created.displayLocation)
        #expect(location.name == known.name && !known.name.isEmpty)
        #expect(location.latitude == known.latitude && location.longitude == known.longitude)
        #expect(location.factualID == id)
        #expect(try await manager.search(placeName: known.name, in: channel).count == 2)
        #expect(world.wire.requests.isEmpty)
        await manager.stop()
    }

    /// A geocoder that answers when a test says.
    private final class SlowTown: Geocoder {
        let isOpen = Signal<Void>()
        private let count = Guarded(0)

        var requests: Int { count.withLock { $0 } }

        func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation] {
            count.withLock { $0 += 1 }
            try await isOpen.value()
            return [GeocodedLocation(locality: "Town")]
        }
    }

    @Test(
        "a place's name that is found after a message was sent is stored, unless the message was deleted",
        .behaviour(124)
    )
    func lateName() async throws {
        let world = try await BeastWorld()
        let town = SlowTown()
        let manager = try world.manager(geocoder: town)
        try await manager.start()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        var message = Message(text: "Here")
        message.addGeolocation(latitude: 47.5, longitude: 8.25)
        let created = try await manager.create(message, in: channel, sendsImmediately: false)
        let deleted = try await manager.create(message, in: channel, sendsImmediately: false)
        try await eventually { town.requests == 1 }
        try await manager.sendAll(in: channel)
        try await manager.delete(try #require(deleted.message.id))
        town.isOpen.settle()
        let id = try #require(created.message.id)
        try await eventually { try await manager.message(id: id)?.displayLocation?.name == "Town" }
        let stored = try #require(try await manager.message(id: id))
        #expect(stored.state == .sent && stored.id == created.id)
        #expect(try await manager.search(placeName: "town", in: channel).map(\.id) == [created.id])
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a page that cannot be written leaves the cursor unchanged", .behaviour(25))
    func writeError() async throws {
        let (world, manager, channel) = try await Self.world()
        try await world.fill(channel, 3)
        _ = try await manager.fetchNewest(in: channel)
        let cursor = try await manager.newestCursor(of: channel)
        try await world.fill(channel, 3)
        try await manager.writer.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON message WHEN new.text LIKE '%2%'
                    BEGIN SELECT RAISE(ABORT, 'no room'); END
                    """
            )
        }
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fetchNewest(in: channel) }
        #expect(error?.kind == .databaseFailed)
        #expect(try await manager.newestCursor(of: channel) == cursor)
        #expect(try await manager.page(of: channel).messages.count == 3)
        try await manager.writer.write { try $0.execute(sql: "DROP TRIGGER broken") }
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 3)
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a message that is posted at once is refused while others wait", .behaviour(61))
    func online() async throws {
        let (world, manager, channel) = try await Self.world()
        try await world.fill(channel, 2)
        let posted = try await manager.post(Message(text: "Now"), in: channel)
        #expect(posted.state == .sent)
        #expect(try await manager.page(of: channel).messages.count == 3)
        _ = try await manager.create(Message(text: "Waits"), in: channel, sendsImmediately: false)
        world.wire.forget()
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.post(Message(text: "Later"), in: channel)
        }
        #expect(error?.kind == .blocked)
        #expect(error?.blockingWork == BlockingWork(unsent: 1, pendingDeletions: 0))
        #expect(world.wire.requests.isEmpty)
        await manager.stop()
    }
}
