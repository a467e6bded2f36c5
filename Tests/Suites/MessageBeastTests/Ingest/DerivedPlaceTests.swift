import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("Derived places of messages")
struct DerivedPlaceTests {
    @Test("deriving again caches the newest state of a place, whatever the order in which messages were stored")
    func newestPlace() throws {
        var journal = try Journal { $0.isLocationLookupEnabled = false }
        func message(_ id: Int) -> Message {
            Journal.message(id, annotations: [LocationTests.checkin("State \(id)", 1, 2, id: "f1")])
        }
        // The newest page first, as in a full sync.
        try journal.store([message(6), message(5)])
        try journal.store([message(4), message(3)])
        journal.configuration.isLocationLookupEnabled = true
        let derivation = Rederivation(configuration: journal.configuration, now: journal.now)
        while try journal.writer.write({ try derivation.step(in: $0, count: 1) }) {}
        func name() throws -> String? { try journal.writer.read { try PlaceTable(database: $0).place("f1")?.name } }
        #expect(try name() == "State 6")
        // An older page, and a changed message of the newest state.
        try journal.store([message(2)])
        #expect(try name() == "State 6")
        try journal.store([Journal.message(6, annotations: [LocationTests.checkin("Corrected", 1, 2, id: "f1")])])
        #expect(try name() == "Corrected")
        try journal.expectSound()
    }

    @Test("a place whose newest use has the same state is not overwritten by an older use")
    func sameState() throws {
        let journal = try Journal()
        func message(_ id: Int, _ name: String) -> Message {
            Journal.message(id, annotations: [LocationTests.checkin(name, 1, 2, id: "f1")])
        }
        try journal.store([message(30, "A")])
        try journal.store([message(10, "A")])
        try journal.store([message(20, "B")])
        #expect(try journal.writer.read { try PlaceTable(database: $0).place("f1")?.name } == "A")
    }

    @Test("a changed message keeps its attempts in the geocoder's queue while its coordinates are the same")
    func backOff() throws {
        let journal = try Journal()
        func store(_ text: String, _ latitude: Double?) throws {
            let annotations = latitude.map { [LocationTests.geolocation($0, 6)] }
            try journal.store([Journal.message(1, text, annotations: annotations)])
        }
        try store("one", 5)
        try journal.writer.write { try $0.execute(sql: "UPDATE geocode_queue SET attempts = 4, next_attempt_ms = 99") }
        try store("two", 5)
        #expect(try journal.sql("SELECT attempts FROM geocode_queue") == [4])
        #expect(try journal.sql("SELECT next_attempt_ms FROM geocode_queue") == [99])
        try store("three", 6)
        #expect(try journal.sql("SELECT attempts FROM geocode_queue") == [0])
        #expect(try journal.sql("SELECT latitude FROM geocode_queue", as: Double.self) == [6])
        try store("four", nil)
        #expect(try journal.sql("SELECT count(*) FROM geocode_queue") == [0])
    }

    @Test("a message in a cell that the geocoder had no name for waits, unless the clock was ahead when it had none")
    func missedCell() throws {
        let journal = try Journal()
        func store(_ id: Int, _ latitude: Double) throws {
            try journal.store([Journal.message(id, annotations: [LocationTests.geolocation(latitude, 6)])])
        }
        func due(at now: Milliseconds) throws -> Milliseconds? {
            try journal.writer.read { try GeocodeQueue(database: $0).next(now: now)?.due }
        }
        let missed = journal.now + GeocodeQueue.missDelay
        try store(1, 5)
        try journal.writer.write { database in
            let queue = GeocodeQueue(database: database)
            let coordinates = try #require(try queue.first()).coordinates
            let nameless = GeocodedLocation(choosing: [])
            try GeolocationTable(database: database)
                .save(nameless, at: coordinates, now: journal.now, failedUntil: missed)
            try queue.postpone(coordinates, until: missed)
        }
        try store(2, 5)
        #expect(try due(at: journal.now) == missed)
        let earlier = journal.now - .seconds(365 * 86_400)
        #expect(try due(at: earlier) == earlier)
        try store(3, 7)
        #expect(try due(at: journal.now) == journal.now)
    }

    @Test("coordinates at the edge of a cell get the name of their cell")
    func cellEdge() throws {
        let journal = try Journal()
        let latitude = Version4Tests.latitude
        try journal.store([Journal.message(1, annotations: [LocationTests.geolocation(latitude, 6)])])
        let waiting = try journal.writer.read { database in
            let queue = GeocodeQueue(database: database)
            return try queue.messages(at: try #require(try queue.first()).coordinates).count
        }
        #expect(waiting == 1)
    }

    @Test("a name that the geocoder finds is searched and listed, and leaves no trace when it is removed")
    func geocoded() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, annotations: [LocationTests.geolocation(5, 6)])])
        let localID = try #require(try journal.sql("SELECT local_id FROM geocode_queue", as: Int64.self).first)
        let coordinates = try #require(Coordinates(latitude: 5, longitude: 6))
        let derivation = Rederivation(configuration: journal.configuration, now: journal.now)
        try journal.writer.write { database in
            let found = GeocodedLocation(locality: "東京", subLocality: nil)
            try GeolocationTable(database: database).save(found, at: coordinates, now: derivation.now)
            try derivation.derive([localID], in: database)
        }
        func found() throws -> Int { try journal.read { try $0.search(placeName: "東", in: Journal.channel).count } }
        #expect(try found() == 1)
        #expect(try journal.sql("SELECT count(*) FROM geocode_queue") == [0])
        try journal.expectSound()
        try journal.store([Journal.message(1)])
        #expect(try found() == 0)
        try journal.expectSound()
    }

    @Test("CJK names of places are found from one character on, and follow changes")
    func characters() throws {
        let journal = try Journal()
        func store(_ id: Int, _ name: String) throws {
            try journal.store([Journal.message(id, annotations: [LocationTests.checkin(name, 1, 2, id: "f\(id)")])])
        }
        try store(1, "東京タワー")
        try store(2, "Café 東京")
        func find(_ text: String) throws -> [Int] {
            try journal.read { journal.ids(try $0.search(placeName: text, in: Journal.channel)) }
        }
        func places(_ text: String, unused: Bool) throws -> [String] {
            try journal.writer.read {
                try PlaceReader(database: $0).places(matching: text, includesUnused: unused).map(\.id)
            }
        }
        #expect(try find("京") == [2, 1] && find("タワ") == [1] && find("東京 cafe") == [2])
        #expect(try places("東京", unused: false) == ["f2", "f1"] && places("タワー", unused: true) == ["f1"])
        try store(1, "大阪城")
        #expect(try find("東京") == [2] && find("大阪") == [1])
        #expect(try places("大阪", unused: true) == ["f1"] && places("タワー", unused: true) == [])
        var stub = Journal.message(1, nil)
        stub.isDeleted = true
        try journal.store([stub])
        #expect(try find("大阪") == [])
        try journal.expectSound()
    }

    @Test("U+0000 in a place's name becomes U+FFFD, and a place whose id has it is ignored")
    func nullCharacters() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(2, annotations: [LocationTests.ohai("Ho\0me", 1, 2, id: "u1")]),
            Journal.message(1, annotations: [LocationTests.checkin("Bar", 3, 4, id: "f\01")]),
        ])
        let locations = try journal.read { reader in try [2, 1].map { try reader.message(id: $0)?.displayLocation } }
        #expect(locations[0]?.name == "Ho\u{FFFD}me")
        #expect(locations[1]?.name == "Bar" && locations[1]?.factualID == nil)
        let home = DisplayLocation(name: "Ho\0me", latitude: 1, longitude: 2, source: .ohai)
        #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, at: home)) } == [2])
        #expect(try journal.sql("SELECT id FROM place") == ["u1"])
        try journal.expectSound()
    }
}
