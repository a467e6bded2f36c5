import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

@Suite("Filters of reads")
struct ReadFilterTests {
    private static let count = 40
    /// Excludes every third message.
    private static let filter: MessageFilter = { ($0.message.id?.number ?? 0).isMultiple(of: 3) }
    private static let everything: MessageFilter = { _ in true }
    private static let kept: [Int] = (1...count).reversed().filter { !$0.isMultiple(of: 3) }

    /// Messages with five hashtags, an annotation and a place.
    private static func journal() throws -> Journal {
        let journal = try Journal()
        let annotations = [Journal.mood, LocationTests.ohai("Home", 1, 2)]
        try journal.store(
            (1...count).reversed().map { id in
                let text = String(repeating: "tea ", count: 1 + id % 4) + "#tag\(id % 5)"
                return Journal.message(id, text, annotations: annotations)
            }
        )
        return journal
    }

    // MARK: Pages

    @Test("pages are full of messages that remain, each of which is on one page", arguments: [1, 3, 7, 27, 100])
    func pages(limit: Int) throws {
        let journal = try Self.journal()
        var ids: [Int] = []
        var excludedCount = 0
        var cursor: MessageCursor?
        repeat {
            let page = try journal.read {
                try $0.page(of: Journal.channel, after: cursor, limit: limit, excluding: Self.filter)
            }
            if page.next != nil { #expect(page.messages.count == limit) }
            ids += journal.ids(page.messages)
            excludedCount += page.excludedCount
            cursor = page.next
        } while cursor != nil
        #expect(ids == Self.kept)
        #expect(excludedCount == Self.count - Self.kept.count)
    }

    @Test("a message that is the only one to remain is found, and none if all are excluded")
    func rare() throws {
        let journal = try Self.journal()
        let oldest = try journal.read {
            try $0.page(of: Journal.channel, limit: 1, excluding: { $0.message.id?.number != 1 })
        }
        #expect(journal.ids(oldest.messages) == [1])
        #expect(oldest.next == nil && oldest.excludedCount == Self.count - 1)
        for limit in [nil, 2] as [Int?] {
            let none = try journal.read {
                try $0.page(of: Journal.channel, limit: limit, excluding: Self.everything)
            }
            #expect(none == MessagePage(messages: [], next: nil, excludedCount: Self.count))
        }
        #expect(try journal.read { try $0.page(of: Journal.channel, limit: 3) }.excludedCount == 0)
    }

    @Test("a message that cannot be read is no excluded one")
    func unreadable() throws {
        let journal = try Self.journal()
        try journal.writer.write { try $0.execute(sql: "UPDATE message SET json = '{' WHERE id IN ('39', '40')") }
        let page = try journal.read { try $0.page(of: Journal.channel, limit: nil, excluding: Self.filter) }
        #expect(journal.ids(page.messages) == Array(Self.kept.dropFirst()))
        #expect(page.unreadable.count == 2)
        #expect(page.excludedCount == Self.count - Self.kept.count - 1)
    }

    // MARK: Look-ups and searches

    @Test(
        "look-ups and searches leave out what is excluded, and fill their limit",
        arguments: [nil, 0, 5, 27, 99] as [Int?]
    )
    func lookups(limit: Int?) throws {
        let journal = try Self.journal()
        let home = DisplayLocation(name: "Home", latitude: 1, longitude: 2, source: .ohai)
        let (channel, filter) = (Journal.channel, Self.filter)
        let found = try journal.read { reader -> [[MessagePlus]] in
            var found = [
                try reader.messages(in: channel, from: Journal.start, to: nil, limit: limit, excluding: filter),
                try reader.messages(in: channel, annotationType: Journal.mood.type, limit: limit, excluding: filter),
                try reader.messages(in: channel, at: home, limit: limit, excluding: filter),
                try reader.search(placeName: "home", in: channel, limit: limit, excluding: filter),
            ]
            for order in [SearchOrder.newestFirst, .rank] {
                let byText = try reader.search(
                    text: "tea ",
                    in: channel,
                    order: order,
                    limit: limit,
                    excluding: filter
                )
                let byPattern = try reader.search(
                    pattern: "tea",
                    in: channel,
                    order: order,
                    limit: limit,
                    excluding: filter
                )
                if order == .newestFirst { found.append(byText.map(\.message)) }
                #expect(byText == byPattern)
                #expect(byText.count == min(limit ?? .max, Self.kept.count))
                #expect(!byText.contains { filter($0.message) })
            }
            return found
        }
        let expected = Array(Self.kept.prefix(limit ?? .max))
        for messages in found { #expect(journal.ids(messages) == expected) }
        let tagged = try journal.read {
            try $0.messages(in: channel, hashtag: "tag2", limit: limit, excluding: filter)
        }
        #expect(journal.ids(tagged) == Array(Self.kept.filter { $0 % 5 == 2 }.prefix(limit ?? .max)))
    }

    @Test("pages by rank have each hit that remains once", arguments: [1, 4, 26, 27])
    func rankedPages(limit: Int) throws {
        let journal = try Self.journal()
        func search(limit: Int?, after rank: RankCursor? = nil, _ filter: MessageFilter?) throws -> [SearchHit] {
            try journal.read {
                try $0.search(
                    text: "tea",
                    in: Journal.channel,
                    order: .rank,
                    limit: limit,
                    afterRank: rank,
                    excluding: filter
                )
            }
        }
        let all = try search(limit: nil, nil)
        var hits: [SearchHit] = []
        while true {
            let page = try search(limit: limit, after: hits.last?.rankCursor, Self.filter)
            hits += page
            if page.count < limit { break }
        }
        #expect(hits.map(\.message.id) == all.map(\.message).filter { !Self.filter($0) }.map(\.id))
    }

    // MARK: Listings

    @Test("listings count only what remains")
    func listings() throws {
        let journal = try Self.journal()
        let (channel, filter) = (Journal.channel, Self.filter)
        let groups = Dictionary(grouping: Self.kept) { $0 % 5 }.values.sorted { $0[0] > $1[0] }
        let tags = try journal.list { try $0.hashtags(in: channel, excluding: filter) }
        #expect(tags.map { $0.messageIDs.compactMap(\.number) } == groups)
        #expect(tags.map(\.name) == groups.map { "tag\($0[0] % 5)" })
        #expect(try journal.list { try $0.hashtags(in: channel, limit: 2, excluding: filter) } == Array(tags.prefix(2)))
        let places = try journal.list { try $0.displayLocations(in: channel, excluding: filter) }
        #expect(places.map { $0.messageIDs.compactMap(\.number) } == [Self.kept])
        for limit in [nil, 0, 4] as [Int?] {
            let moods = try journal.list {
                try $0.annotations(ofType: Journal.mood.type, in: channel, limit: limit, excluding: filter)
            }
            #expect(moods.uses.compactMap(\.messageID.number) == Array(Self.kept.prefix(limit ?? .max)))
            #expect(moods.uses.allSatisfy { $0.count == 1 })
        }
    }

    @Test("a listing of messages that are all excluded is empty")
    func emptyListings() throws {
        let journal = try Self.journal()
        let (channel, filter) = (Journal.channel, Self.everything)
        #expect(try journal.list { try $0.hashtags(in: channel, excluding: filter) } == [])
        #expect(try journal.list { try $0.displayLocations(in: channel, excluding: filter) } == [])
        let moods = try journal.list { try $0.annotations(ofType: Journal.mood.type, in: channel, excluding: filter) }
        #expect(moods.uses == [])
    }
}
