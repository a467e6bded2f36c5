import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Places of App.net", .timeLimit(.minutes(5)))
struct PlaceTests {
    private static let center = "latitude=46.5&longitude=7.25"

    private func distances(_ answer: VisitorAnswer) -> [Double] {
        answer.json?["data"]?.arrayValue?.compactMap { $0["distance"]?.doubleValue } ?? []
    }

    @Test("a search for places returns the nearest first, each with its distance")
    func search() async throws {
        try await withVisitors { alice, _ async throws in
            let near = try await alice.get("places/search?\(Self.center)")
            #expect(near.status == 200)
            #expect(near.meta == ["code": .integer(200)])
            let found = distances(near)
            #expect(found.first == 0)
            #expect(found == found.sorted())
            #expect(found.allSatisfy { $0 <= 100 })
            let far = try await alice.get("places/search?\(Self.center)&radius=50000&count=100")
            #expect(distances(far).count == 36)
            let closed = try await alice.get("places/search?\(Self.center)&radius=50000&count=100&remove_closed=0")
            #expect(distances(closed).count == 40)
            let three = try await alice.get("places/search?\(Self.center)&radius=50000&count=3")
            #expect(distances(three) == Array(distances(far).prefix(3)))
            let named = try await alice.get("places/search?\(Self.center)&radius=50000&q=railway")
            let names = named.json?["data"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
            #expect(names.count == 8)
            #expect(names.allSatisfy { $0.hasSuffix("Railway Station") })
            #expect(try await alice.get("places/search?latitude=0&longitude=0").json?["data"] == [])
        }
    }

    @Test(
        "a search for places without coordinates, or with invalid ones, is refused with the service's message",
        arguments: [
            ("", "Bad Request: You must supply a latitude parameter."),
            ("longitude=1", "Bad Request: You must supply a latitude parameter."),
            ("latitude=1", "Bad Request: You must supply a longitude parameter."),
            ("latitude=91&longitude=1", nil), ("latitude=1&longitude=-181", nil), ("latitude=nan&longitude=1", nil),
            ("latitude=1&longitude=1&radius=0", nil), ("latitude=1&longitude=1&radius=50001", nil),
            ("latitude=1&longitude=1&count=0", nil), ("latitude=1&longitude=1&count=101", nil),
        ]
    )
    func refused(_ query: String, _ message: String?) async throws {
        try await withVisitors { alice, _ async throws in
            let answer = try await alice.get("places/search?\(query)")
            #expect(answer.status == 400)
            if let message { #expect(answer.message == message) }
        }
    }

    @Test("a place is found by its id in any letter case, and by the id of a place that was merged into it")
    func one() async throws {
        try await withVisitors { alice, _ async throws in
            let first = try #require(PlaceDirectory.places.first)
            let found = try await alice.get("places/\(first.id.uppercased())")
            #expect(found.json?["data"] == TestJSON.parse(first.rendered().text()))
            #expect(found["distance"] == nil)
            let merged = try await alice.get("places/7d1f0c3a-0000-4000-8000-000000000900")
            #expect(merged["factual_id"] == .string(first.id))
            #expect(try await alice.get("places/nowhere").status == 404)
            var app = alice
            app.token = alice.running.ready.appNet.appToken
            #expect(try await app.get("places/\(first.id)").status == 200)
            #expect(try await app.get("places/search?\(Self.center)").status == 403)
            app.token = nil
            #expect(try await app.get("places/\(first.id)").status == 401)
        }
    }

    @Test("distances between places are those on a sphere")
    func distances() throws {
        let place = try #require(PlaceDirectory.places.first)
        #expect(place.distance(latitude: place.latitude, longitude: place.longitude) == 0)
        let degree = place.distance(latitude: place.latitude + 1, longitude: place.longitude)
        #expect(abs(degree - 111_195) < 1)
        let opposite = place.distance(latitude: -place.latitude, longitude: place.longitude - 180)
        #expect(abs(opposite - 20_015_114) < 10)
    }
}
