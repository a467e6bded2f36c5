import AppNet
import Foundation
import HeliumTesting
import Testing

/// No value of a public parameter ends the process. A call with it succeeds or fails with an error.
@Suite("Extreme values of the parameters of App.net's calls", .timeLimit(.minutes(5)))
struct ExtremeParameterTests {
    private static let integers = [Int.min, -1, 0, 1, .max]
    private static let doubles = [-Double.infinity, -1e308, -0.0, 1e308, .infinity, .nan]

    /// Runs a call, which may fail with an error of the client.
    private static func attempt(_ call: () async throws -> Void) async {
        do { try await call() } catch { #expect(error is AppNetError, "\(error)") }
    }

    @Test("coordinates, distances and number of a search for places", arguments: doubles)
    func places(number: Double) async throws {
        let transport = MockTransport { _ in answer("[]") }
        let client = try makeClient(transport)
        for change in [
            { $0.latitude = number }, { $0.longitude = number }, { $0.radius = number }, { $0.altitude = number },
            { $0.horizontalAccuracy = number }, { $0.verticalAccuracy = number },
        ] as [(inout PlaceSearch) -> Void] {
            var search = PlaceSearch(latitude: 0, longitude: 0)
            change(&search)
            await Self.attempt { _ = try await client.places.search(search) }
        }
        for count in Self.integers {
            let search = PlaceSearch(latitude: 0, longitude: 0, count: count)
            await Self.attempt { _ = try await client.places.search(search) }
        }
        #expect(transport.requests.allSatisfy { !$0.url.target.contains("nan") && !$0.url.target.contains("inf") })
        var text = Post(text: "x")
        text.annotations = [.photoTag(1, x: number, y: number)]
        let post = text
        await Self.attempt { _ = try await client.posts.create(post) }
    }

    @Test("numbers of items, pages and pixels", arguments: integers)
    func numbers(number: Int) async throws {
        let client = try makeClient(MockTransport { _ in answer("[]") })
        var list = client.messages.list(in: 1)
        list.maximumPages = number
        for bounds in [PageBounds(count: number), .after("5", count: number), .before("5", count: number)] {
            await Self.attempt { _ = try await list.page(bounds) }
        }
        await Self.attempt { for try await _ in list.before(pageSize: number) {} }
        await Self.attempt { for try await _ in list.after("5", pageSize: number) {} }
        await Self.attempt { _ = try await client.users.search("x", count: number) }
        await Self.attempt { _ = try await client.polls.respond(to: 1, position: number) }
        let image = UserImage(url: "https://example.com/a.png")
        #expect(image.url(width: number, height: number) != nil)
        var rules = ServiceConfiguration.documented
        rules.text = ServiceConfiguration.TextRules(templateLengths: ["post_id": number])
        _ = rules.length(of: "{post_id}{post_id}")
        let link = Entities.Link(text: "a", url: "https://example.com", position: number, length: number)
        _ = (link.range(in: "abc"), link.amendedRange(in: "abc"))
    }

    @Test("the time limit of a client's calls, and the end of a presence", arguments: doubles)
    func times(seconds: Double) async throws {
        let client = try makeClient(MockTransport { _ in answer("{}") }, dialect: .pnut)
        let end = Date(timeIntervalSince1970: seconds)
        await Self.attempt { _ = try await client.users.setPresence("x", until: end) }
        for limit in [Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .zero] {
            await Self.attempt { _ = try await client.limited(to: limit).users.get(1) }
        }
    }
}
