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

@Suite("Geocoding of messages' places")
struct GeocodingTests {
    /// A geocoder that answers as a test says.
    final class Town: Geocoder {
        private let state = Guarded<(requests: Int, answer: Result<[GeocodedLocation], Failure>)>((0, .success([])))

        struct Failure: Error {}

        init(_ answer: Result<[GeocodedLocation], Failure>) { state.withLock { $0.answer = answer } }

        var requests: Int { state.withLock { $0.requests } }

        func set(_ answer: Result<[GeocodedLocation], Failure>) { state.withLock { $0.answer = answer } }

        func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation] {
            try state.withLock { state in
                state.requests += 1
                return try state.answer.get()
            }
        }
    }

    private static func draft(_ number: Int) -> AppNetControl.MessageDraft {
        var message = Message(text: "Message \(number)")
        message.addGeolocation(latitude: 37.7004 + Double(number) * 0.00001, longitude: -122.4)
        return .init(text: message.text, annotations: (message.annotations ?? []).map(\.document))
    }

    @Test("messages at one place take one geocoding request and get its name", .behaviour(122))
    func coalesced() async throws {
        let world = try await BeastWorld()
        let town = Town(.success([GeocodedLocation(locality: "Town", subLocality: "Docks")]))
        let manager = try world.manager(geocoder: town)
        let events = manager.events
        try await manager.start()
        let channel = try await world.filledJournal(20, of: manager, Self.draft)
        _ = try await manager.fetchNewest(in: channel)
        var resolved: [MessagePlus.ID] = []
        for await event in events {
            guard case .locationResolved(let ids) = event else { continue }
            resolved = ids
            break
        }
        #expect(resolved.count == 20)
        #expect(town.requests == 1)
        let messages = try await manager.page(of: channel).messages
        #expect(messages.allSatisfy { $0.displayLocation?.name == "Docks, Town" })
        #expect(try await manager.search(placeName: "docks", in: channel).count == 20)
        // Later messages of the place take none.
        try await world.fill(channel, 1, Self.draft)
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.search(placeName: "docks", in: channel).count == 21)
        #expect(town.requests == 1)
        await manager.stop()
    }

    @Test("a failed geocoding, and a place without a name, are tried again after growing delays", .behaviour(123))
    func failing() async throws {
        let world = try await BeastWorld()
        let town = Town(.failure(Town.Failure()))
        let manager = try world.manager(geocoder: town) { $0.geocoderInterval = .milliseconds(1) }
        let channel = try await world.filledJournal(2, of: manager, Self.draft)
        _ = try await manager.fetchNewest(in: channel)
        try await manager.start()
        // The clock skips pauses of up to ten minutes: 2, 4 … 512 s, then the next attempt is not due.
        // What is waited for is stored: an answer that is not written yet would be dated by the moved clock.
        try await eventually { try await manager.geocodingAttempts() == 10 }
        #expect(town.requests == 10)
        #expect(try await manager.check() == [])
        town.set(.success([]))
        // A pause that began after the clock was moved would end later than the test expects.
        try await eventually { world.clock.requestedSleeps.contains { $0 > .seconds(600) && $0 <= .seconds(1024) } }
        world.clock.advance(by: .seconds(1100))
        try await eventually { try await manager.geocodingAttempts() == 11 }
        _ = try await manager.fetchNewest(in: channel)
        #expect(town.requests == 11)
        #expect(try await manager.page(of: channel).messages.allSatisfy { $0.displayLocation == nil })
        town.set(.success([GeocodedLocation(locality: "Town")]))
        // The fetch has woken the engine, whose pause may begin after the first move.
        try await eventually {
            world.clock.advance(by: .seconds(30 * 86_400))
            return try await manager.search(placeName: "town", in: channel).count == 2
        }
        await manager.stop()
    }

    @Test(
        "the first district of a geocoding counts, with the town of that match or of the next",
        arguments: [
            ([("A", "1")], "1, A"), ([("A", nil)], "A"), ([(nil, "1"), ("B", nil)], "1, B"), ([(nil, "1")], "1"),
            ([("A", nil), ("B", "2")], "2, B"), ([("", ""), ("C", nil)], "C"), ([], nil), ([(nil, nil)], nil),
        ] as [([(String?, String?)], String?)]
    )
    func choice(_ matches: [(String?, String?)], _ name: String?) {
        let places = matches.map { GeocodedLocation(locality: $0.0, subLocality: $0.1) }
        #expect(GeocodedLocation(choosing: places).name == name)
    }

    @Test("a message that was queued, or postponed, while the clock was ahead is geocoded", arguments: [0, 3])
    func clockSetBack(attempts: Int) async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let town = Town(.success([GeocodedLocation(locality: "Town")]))
        let manager = try world.manager(geocoder: town)
        let channel = try await world.filledJournal(1, of: manager, Self.draft)
        _ = try await manager.fetchNewest(in: channel)
        // A year, in milliseconds.
        try await manager.writer.write { database in
            try database.execute(
                sql: "UPDATE geocode_queue SET attempts = ?, next_attempt_ms = next_attempt_ms + 31536000000",
                arguments: [attempts]
            )
        }
        try await manager.start()
        try await eventually { try await manager.search(placeName: "town", in: channel).count == 1 }
        #expect(town.requests == 1)
        await manager.stop()
    }
}
