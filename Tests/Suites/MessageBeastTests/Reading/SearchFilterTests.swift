import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("Arguments and pages of searches")
struct SearchFilterTests {
    private static let home = DisplayLocation(name: "Home", latitude: 1, longitude: 2, source: .ohai)

    private func kind(_ journal: Journal, _ body: (MessageReader) throws -> Void) -> MessageBeastError.Kind? {
        let error = #expect(throws: MessageBeastError.self) { try journal.read(body) }
        return error?.kind
    }

    @Test("a search filter without its index is an error for any search", arguments: ["word", "", "日本"])
    func notIndexed(text: String) throws {
        let journal = try Journal { $0 = MessageManagerConfiguration() }
        let filters = [
            SearchFilter(hashtag: "a"), SearchFilter(annotationType: "net.example.mood"),
            SearchFilter(location: Self.home),
        ]
        for filter in filters {
            #expect(kind(journal) { _ = try $0.search(text: text, in: Journal.channel, filter: filter) } == .notIndexed)
            #expect(
                kind(journal) { _ = try $0.search(pattern: "a", in: Journal.channel, filter: filter) } == .notIndexed
            )
        }
    }

    @Test(
        "a precision out of range and a negative limit are errors for any search",
        arguments: ["word", ""]
    )
    func invalid(text: String) throws {
        let journal = try Journal()
        for degrees in [0, -1, 181, Double.nan] {
            let filter = SearchFilter(location: Self.home, precision: LocationPrecision(degrees: degrees))
            let found = kind(journal) { _ = try $0.search(text: text, in: Journal.channel, filter: filter) }
            #expect(found == .invalidArgument)
        }
        #expect(kind(journal) { _ = try $0.search(text: text, in: Journal.channel, limit: -1) } == .invalidArgument)
        #expect(
            kind(journal) { _ = try $0.search(placeName: text, in: Journal.channel, limit: -1) } == .invalidArgument
        )
    }

    @Test("pages of a search by rank have each hit once", arguments: [1, 3, 7, 100])
    func rankPages(limit: Int) throws {
        let journal = try Journal()
        try journal.store(
            (1...40).reversed().map { id in
                Journal.message(id, String(repeating: "word ", count: 1 + id % 3) + (id % 5 == 0 ? "日本" : "other"))
            }
        )
        for text in ["word", "word 日本"] {
            let all = try journal.read { try $0.search(text: text, in: Journal.channel, order: .rank) }.map(
                \.message.id
            )
            #expect(all.count == (text == "word" ? 40 : 8))
            var paged: [MessagePlus.ID] = []
            var cursor: RankCursor?
            while true {
                let page = try journal.read {
                    try $0.search(text: text, in: Journal.channel, order: .rank, limit: limit, afterRank: cursor)
                }
                paged += page.map(\.message.id)
                guard page.count == limit, let last = page.last?.rankCursor else { break }
                cursor = last
            }
            #expect(paged == all)
        }
        let newest = try journal.read { try $0.search(text: "word", in: Journal.channel, limit: 1) }
        #expect(newest.first?.rankCursor == nil)
        let ranked = try journal.read { try $0.search(text: "word", in: Journal.channel, order: .rank, limit: 1) }
        let cursor = try #require(ranked.first?.rankCursor)
        #expect(
            kind(journal) { _ = try $0.search(text: "a", in: Journal.channel, afterRank: cursor) } == .invalidArgument
        )
    }

    /// A journal of six messages with hashtags, check-ins and moods.
    private static func places() throws -> Journal {
        let journal = try Journal()
        try journal.store(
            (1...6).reversed().map { id in
                let place = LocationTests.checkin("Bar \(id)", 10 + Double(id) / 10_000, 20, id: "f\(id)")
                return Journal.message(id, "#t\(id % 3)", annotations: [place, Journal.mood])
            }
        )
        return journal
    }

    @Test("listings of hashtags, places and annotations have at most as many entries as their limit")
    func listingLimits() throws {
        let journal = try Self.places()
        let tags = try journal.list { try $0.hashtags(in: Journal.channel, limit: 2) }
        #expect(tags.map(\.name) == ["t0", "t2"] && tags.map(\.messageIDs) == [[6, 3], [5, 2]])
        let places = try journal.list { try $0.displayLocations(in: Journal.channel, limit: 1) }
        #expect(places.map(\.messageIDs) == [[6]])
        let uses = try journal.list {
            try $0.annotations(ofType: Journal.mood.type, in: Journal.channel, limit: 2).uses
        }
        #expect(uses.map(\.messageID) == [6, 5])
        let cursor = try journal.read { try $0.message(id: 5)?.cursor }
        let rest = try journal.list {
            try $0.annotations(ofType: Journal.mood.type, in: Journal.channel, before: cursor, limit: 2).uses
        }
        #expect(rest.map(\.messageID) == [4, 3])
    }

    @Test("searches for cached places find at most as many places as their limit")
    func placeLimits() throws {
        let journal = try Self.places()
        func ids(_ body: (PlaceReader) throws -> [CachedPlace]) throws -> [String] {
            try journal.writer.read { try body(PlaceReader(database: $0)).map(\.id) }
        }
        #expect(try ids { try $0.places(matching: "bar", limit: 2) } == ["f1", "f2"])
        #expect(try ids { try $0.places(latitude: 10, longitude: 20, limit: 2) } == ["f1", "f2"])
        #expect(try ids { try $0.places(matching: "bar", limit: 0) } == [])
    }

    @Test("a negative limit of a listing or of a search for places is an invalid argument")
    func negativeLimits() throws {
        let journal = try Self.places()
        for body: (PlaceReader) throws -> Void in [
            { _ = try $0.places(matching: "", limit: -1) },
            { _ = try $0.places(latitude: 1, longitude: 2, limit: -1) },
        ] {
            let error = #expect(throws: MessageBeastError.self) {
                try journal.writer.read { try body(PlaceReader(database: $0)) }
            }
            #expect(error?.kind == .invalidArgument)
        }
        for body: (InstanceReader) throws -> Void in [
            { _ = try $0.hashtags(in: Journal.channel, limit: -1) },
            { _ = try $0.displayLocations(in: Journal.channel, limit: -1) },
            { _ = try $0.annotations(ofType: Journal.mood.type, in: Journal.channel, limit: -1) },
        ] {
            let error = #expect(throws: MessageBeastError.self) { try journal.list(body) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test(
        "a search pattern that SQLite reads as a command, or would cut, is invalid",
        arguments: ["*reads", "*id", "red\0 AND"]
    )
    func patterns(pattern: String) throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "red")])
        for limit in [nil, 0, 1] {
            let found = kind(journal) { _ = try $0.search(pattern: pattern, in: Journal.channel, limit: limit) }
            #expect(found == .invalidPattern)
        }
    }
}
