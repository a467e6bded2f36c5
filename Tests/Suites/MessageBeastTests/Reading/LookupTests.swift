import AppNet
import Foundation
import GRDB
import HeliumJSON
import Testing

@testable import MessageBeast

@Suite("Hashtags and annotations")
struct InstanceTests {
    @Test("spellings of a hashtag without case and diacritics are one, shown as the most recent", .behaviour(112))
    func folding() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(4, "#ＦＯＯＤ"), Journal.message(3, "#Straße"), Journal.message(2, "#Food"),
            Journal.message(1, "#food #other"),
        ])
        for name in ["food", "FOOD", "#Food", "ｆｏｏｄ"] {
            #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, hashtag: name)) } == [4, 2, 1])
        }
        let tags = try journal.list { try $0.hashtags(in: Journal.channel) }
        #expect(tags.map(\.name) == ["ＦＯＯＤ", "Straße", "other"])
        #expect(tags.first?.messageIDs == [4, 2, 1])
    }

    @Test("hashtags of a message are those that the service finds", .behaviour(113))
    func entities() throws {
        let journal = try Journal()
        let text = "🙂👨‍👩‍👧 #food2014 #a #2014 x#no"
        try journal.store([Journal.message(1, text)])
        let tags = try journal.list { try $0.hashtags(in: Journal.channel).map(\.name).sorted() }
        #expect(tags == ["2014", "a", "food2014"])
        let entities = try #require(Journal.message(1, text).entities?.hashtags)
        #expect(entities.map { $0.substring(in: text) } == ["#food2014", "#a", "#2014"])
    }

    @Test("a window of hashtags includes its beginning and excludes its end", .behaviour(114))
    func window() throws {
        let journal = try Journal()
        try journal.store((1...5).reversed().map { Journal.message($0, "#t\($0)") })
        let tags = try journal.list {
            try $0.hashtags(
                in: Journal.channel,
                since: Journal.start.addingTimeInterval(2),
                before: Journal.start.addingTimeInterval(4)
            )
        }
        #expect(tags.map(\.name) == ["t3", "t2"])
    }

    @Test("messages are found by annotation types with counts, and an unregistered type is an error", .behaviour(115))
    func annotations() throws {
        let journal = try Journal()
        let mood = Annotation(type: "net.example.mood", value: ["level": 1])
        let other = Annotation(type: "net.example.other", value: ["a": 1])
        try journal.store([
            Journal.message(3, annotations: [mood, other, mood]), Journal.message(2, annotations: [other]),
            Journal.message(1, annotations: [mood]),
        ])
        #expect(
            try journal.read { journal.ids(try $0.messages(in: Journal.channel, annotationType: mood.type)) } == [3, 1]
        )
        let uses = try journal.list { try $0.annotations(ofType: mood.type, in: Journal.channel).uses }
        #expect(uses.map(\.count) == [2, 1] && uses.map(\.messageID) == [3, 1])
        let error = #expect(throws: MessageBeastError.self) {
            try journal.read { try $0.messages(in: Journal.channel, annotationType: other.type) }
        }
        #expect(error?.kind == .notIndexed)
    }

    @Test("a look-up or a listing without its index is an error")
    func notIndexed() throws {
        let journal = try Journal {
            $0.isHashtagExtractionEnabled = false
            $0.isLocationLookupEnabled = false
        }
        try journal.store([Journal.message(1, "#a")])
        let place = DisplayLocation(name: "a", latitude: 1, longitude: 1, source: .ohai)
        let lookups: [(MessageReader) throws -> Void] = [
            { _ = try $0.messages(in: Journal.channel, hashtag: "a") },
            { _ = try $0.messages(in: Journal.channel, at: place) },
            { _ = try $0.search(placeName: "a", in: Journal.channel) },
        ]
        for lookup in lookups {
            let error = #expect(throws: MessageBeastError.self) { try journal.read(lookup) }
            #expect(error?.kind == .notIndexed)
        }
        let listings: [(InstanceReader) throws -> Void] = [
            { _ = try $0.hashtags(in: Journal.channel) },
            { _ = try $0.displayLocations(in: Journal.channel) },
        ]
        for listing in listings {
            let error = #expect(throws: MessageBeastError.self) { try journal.list(listing) }
            #expect(error?.kind == .notIndexed)
        }
        #expect(try journal.sql("SELECT count(*) FROM hashtag_instance") == [0])
    }

    @Test("a look-up by hashtag costs as much as its page, also if all messages have it")
    func work() throws {
        let journal = try Journal()
        try journal.store((1...5000).reversed().map { Journal.message($0, "#all") })
        let steps = try journal.steps { database in
            let reader = MessageReader(database: database, configuration: journal.configuration)
            let found = try reader.messages(in: Journal.channel, hashtag: "all", limit: 50)
            #expect(found.count == 50)
        }
        #expect(steps < 15_000, "\(steps)")
    }
}

@Suite("Places")
struct LocationTests {
    static func ohai(_ name: String?, _ latitude: JSONValue, _ longitude: JSONValue, id: String? = nil) -> Annotation {
        var value: JSONObject = ["latitude": latitude, "longitude": longitude]
        value["name"] = name.map(JSONValue.string)
        value["id"] = id.map(JSONValue.string)
        return Annotation(type: MessageBeastNames.ohaiLocation, value: .object(value))
    }

    static func checkin(_ name: String, _ latitude: Double, _ longitude: Double, id: String) -> Annotation {
        let place = Place(factualID: Place.ID(id), name: name, latitude: latitude, longitude: longitude)
        return Annotation(type: MessageBeastNames.checkin, value: try? JSONValue(parsing: JSONEncoder().encode(place)))
    }

    static func geolocation(_ latitude: Double, _ longitude: Double) -> Annotation {
        var message = Message()
        message.addGeolocation(latitude: latitude, longitude: longitude)
        return message.annotations?.first ?? Annotation(type: "")
    }

    private func at(
        _ journal: Journal,
        _ latitude: Double,
        _ longitude: Double,
        _ precision: LocationPrecision = .hundredMeters,
        name: String = "Home"
    ) throws -> [Int] {
        let location = DisplayLocation(name: name, latitude: latitude, longitude: longitude, source: .ohai)
        return try journal.read {
            journal.ids(try $0.messages(in: Journal.channel, at: location, precision: precision))
        }
    }

    @Test("a look-up by place searches a box around the point, and not a cell of a grid", .behaviour(116))
    func box() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(2, annotations: [Self.ohai("Home", 37.7649, -122.4)]),
            Journal.message(1, annotations: [Self.ohai("Home", 37.7009, -122.4)]),
        ])
        #expect(try at(journal, 37.7004, -122.4) == [1])
        #expect(try at(journal, 37.7019, -122.4) == [1])
        #expect(try at(journal, 37.70191, -122.4) == [])
    }

    @Test("a look-up by place finds points across the border of a cell and across longitude 180°", .behaviour(117))
    func borders() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(4, annotations: [Self.ohai("Line", 10, 179.9999)]),
            Journal.message(3, annotations: [Self.ohai("Line", 10, -179.9999)]),
            Journal.message(2, annotations: [Self.ohai("Home", 37.7001, 9)]),
            Journal.message(1, annotations: [Self.ohai("Home", 37.6999, 9)]),
        ])
        #expect(try at(journal, 37.7001, 9) == [2, 1])
        #expect(try at(journal, 37.6999, 9) == [2, 1])
        #expect(try at(journal, 10, 179.9999, name: "Line") == [4, 3])
        #expect(try at(journal, 10, -179.9999, name: "Line") == [4, 3])
        #expect(try at(journal, 10, 180, name: "Line") == [4, 3])
    }

    @Test("a look-up by place does not find another name at the point, or the name too far away", .behaviour(118))
    func names() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(2, annotations: [Self.ohai("Café", 50.135, 8)]),
            Journal.message(1, annotations: [Self.ohai("Café", 50, 8)]),
        ])
        #expect(try at(journal, 50, 8, .tenKilometers, name: "Cafe\u{301}") == [1])
        #expect(try at(journal, 50, 8, .tenKilometers, name: "Cafe") == [])
        let error = #expect(throws: MessageBeastError.self) { try at(journal, 0, 0, LocationPrecision(degrees: -1)) }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("keys of places keep three decimals of either sign")
    func keys() {
        let cases: [(Double, Int64)] = [
            (37.123, 37123), (-37.123, -37123), (37.1239, 37123), (-0.0004, 0), (0.001, 1), (-122.4, -122400),
            (180, 180_000),
            (8.7, 8700), (-8.7, -8700),
        ]
        for (value, key) in cases { #expect(Coordinates.key(value) == key, "\(value)") }
        for thousandth in stride(from: Int64(-180_000), through: 180_000, by: 37) {
            #expect(Coordinates.key(Double(thousandth) / 1000) == thousandth)
        }
    }

    @Test("a check-in counts before a described place, and that before coordinates", .behaviour(120))
    func order() throws {
        let journal = try Journal()
        let unknown = Annotation.checkin(at: "nowhere")
        let badCheckin = Annotation(
            type: MessageBeastNames.checkin,
            value: ["name": "Bad", "latitude": 91, "longitude": 0]
        )
        try journal.store([
            Journal.message(4, annotations: [badCheckin, Self.ohai("Ohai", "1.5", "2.5")]),
            Journal.message(3, annotations: [unknown, Self.ohai("Ohai", 1, 2)]),
            Journal.message(2, annotations: [Self.geolocation(5, 6), Self.ohai(nil, 1.25, 2)]),
            Journal.message(
                1,
                annotations: [Self.geolocation(5, 6), Self.ohai("Ohai", 1, 2), Self.checkin("Bar", 3, 4, id: "f1")]
            ),
        ])
        let locations = try journal.read { reader in
            try (1...4).map { try reader.message(id: Message.ID($0))?.displayLocation }
        }
        #expect(
            locations[0]
                == DisplayLocation(name: "Bar", factualID: "f1", latitude: 3, longitude: 4, source: .checkin)
        )
        #expect(locations[1]?.name == "1.25, 2.0" && locations[1]?.source == .ohai)
        #expect(locations[2]?.name == "Ohai")
        #expect(locations[3] == DisplayLocation(name: "Ohai", latitude: 1.5, longitude: 2.5, source: .ohai))
        try journal.expectSound()
    }

    @Test("a check-in that is not expanded takes its name and coordinates from the cache")
    func cachedPlace() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, annotations: [Self.checkin("Bar", 3, 4, id: "f1")])])
        try journal.store([Journal.message(2, annotations: [Annotation.checkin(at: "f1")])])
        let location = try journal.read { try $0.message(id: 2)?.displayLocation }
        #expect(location == DisplayLocation(name: "Bar", factualID: "f1", latitude: 3, longitude: 4, source: .checkin))
    }

    @Test("coordinates without a known name wait for the geocoder, and others have the name at once")
    func geocoding() throws {
        let journal = try Journal()
        try journal.writer.write { database in
            let coordinates = try #require(Coordinates(latitude: 5.0004, longitude: 6))
            try GeolocationTable(database: database)
                .save(
                    GeocodedLocation(locality: "Town", subLocality: "District"),
                    at: coordinates,
                    now: Milliseconds(1)
                )
        }
        try journal.store([
            Journal.message(2, annotations: [Self.geolocation(5.0009, 6)]),
            Journal.message(1, annotations: [Self.geolocation(5.001, 6)]),
        ])
        let named = try journal.read { try $0.message(id: 2)?.displayLocation }
        #expect(named?.name == "District, Town" && named?.shortName == "District" && named?.latitude == 5.0009)
        #expect(try journal.read { try $0.message(id: 1)?.displayLocation } == nil)
        #expect(
            try journal.sql("SELECT m.id FROM geocode_queue JOIN message m USING (local_id)", as: String.self) == ["1"]
        )
    }

    @Test("places of a channel are grouped by name and truncated coordinates")
    func groups() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(4, annotations: [Self.ohai("Home", 1.29, 2)]),
            Journal.message(3, annotations: [Self.ohai("Work", 1.21, 2)]),
            Journal.message(2, annotations: [Self.ohai("Home", 1.21, 2)]),
            Journal.message(1, annotations: [Self.ohai("Home", 1.31, 2)]),
        ])
        let groups = try journal.list { try $0.displayLocations(in: Journal.channel) }
        #expect(groups.map(\.displayLocation.name) == ["Home", "Work", "Home"])
        #expect(groups.map(\.messageIDs) == [[4, 2], [3], [1]])
        let fine = try journal.list { try $0.displayLocations(in: Journal.channel, precision: .oneKilometer) }
        #expect(fine.count == 4)
        #expect(try journal.read { journal.ids(try $0.search(placeName: "hom", in: Journal.channel)) } == [4, 2, 1])
        #expect(try journal.read { try $0.search(placeName: " ", in: Journal.channel) } == [])
    }

    @Test("cached places are found by name and by coordinates", .behaviour(125))
    func places() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(3, annotations: [Self.checkin("Green Bar", 10.0009, 20, id: "f2")]),
            Journal.message(2, annotations: [Self.checkin("Blue Bar", 10.0002, 20, id: "f1")]),
            Journal.message(1, annotations: [Self.ohai("My Bar", 10, 20, id: "u1")]),
        ])
        func find(_ body: (PlaceReader) throws -> [CachedPlace]) throws -> [String] {
            try journal.writer.read { try body(PlaceReader(database: $0)).map(\.id) }
        }
        #expect(try find { try $0.places(matching: "bar") } == ["f1", "f2", "u1"])
        #expect(try find { try $0.places(matching: "BA", excludesCustom: true) } == ["f1", "f2"])
        #expect(try find { try $0.places(latitude: 10, longitude: 20) } == ["u1", "f1", "f2"])
        #expect(try find { try $0.places(latitude: 10, longitude: 20, excludesCustom: true) } == ["f1", "f2"])
        #expect(try find { try $0.places(latitude: 10, longitude: 20.1) } == [])
        var stub = Journal.message(3, nil)
        stub.isDeleted = true
        try journal.store([stub])
        // The place remains in the cache, but is no longer in use.
        #expect(try find { try $0.places(matching: "green") } == [])
        #expect(try find { try $0.places(matching: "green", includesUnused: true) } == ["f2"])
        let cached = try journal.writer.read { try PlaceTable(database: $0).place("f1")?.value }
        #expect(cached?.place.name == "Blue Bar" && cached?.isCustom == false)
        try journal.expectSound()
    }

    @Test("a cached place is replaced by newer data, and not by an older page")
    func newerPlace() throws {
        let journal = try Journal()
        func name() throws -> String? { try journal.writer.read { try PlaceTable(database: $0).place("f1")?.name } }
        try journal.store([
            Journal.message(2, annotations: [Self.checkin("New", 1, 2, id: "f1")]),
            Journal.message(1, annotations: [Self.checkin("Old", 1, 2, id: "f1")]),
        ])
        #expect(try name() == "New")
        try journal.store(
            [Journal.message(0, annotations: [Self.checkin("Older", 1, 2, id: "f1")])]
        )
        #expect(try name() == "New")
        try journal.store([Journal.message(3, annotations: [Self.checkin("Newest", 1, 2, id: "f1")])])
        #expect(try name() == "Newest")
        try journal.writer.write { try PlaceTable(database: $0).deleteAll() }
        try journal.expectSound()
    }

    @Test("a look-up by place reads the messages near it, and not all")
    func work() throws {
        let journal = try Journal()
        let messages = (1...5000).reversed().map { id in
            Journal.message(
                id,
                annotations: [Self.ohai("Home", .number(JSONNumber(id % 90)), .number(JSONNumber(id % 170)))]
            )
        }
        try journal.store(messages)
        let location = DisplayLocation(name: "Home", latitude: 5, longitude: 5, source: .ohai)
        let steps = try journal.steps { database in
            let reader = MessageReader(database: database, configuration: journal.configuration)
            let found = try reader.messages(in: Journal.channel, at: location, limit: 10)
            #expect(!found.isEmpty)
        }
        #expect(steps < 10_000, "\(steps)")
    }
}
