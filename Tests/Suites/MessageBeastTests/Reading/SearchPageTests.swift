import AppNet
import Foundation
import HeliumServer
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Pages of searches")
struct SearchPageTests {
    private static let texts = [
        "tea", "tea tea coffee", "coffee tea", "tea", "tea and tea and tea", "coffee", "tea tea",
    ]

    @Test(
        "the pages of a search have each hit once, in the order of the search without pages",
        arguments: [false, true]
    )
    func pages(byPattern: Bool) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(21, of: manager) { .init(text: Self.texts[$0 % 7]) }
        try await manager.fullSync(of: channel).run()

        func search(
            _ order: SearchOrder,
            after cursor: MessageCursor? = nil,
            afterRank rank: RankCursor? = nil,
            limit: Int? = nil
        ) async throws -> [SearchHit] {
            byPattern
                ? try await manager.search(
                    pattern: "tea",
                    in: channel,
                    order: order,
                    after: cursor,
                    afterRank: rank,
                    limit: limit
                )
                : try await manager.search(
                    text: "tea",
                    in: channel,
                    order: order,
                    after: cursor,
                    afterRank: rank,
                    limit: limit
                )
        }

        for order in [SearchOrder.newestFirst, .rank] {
            let all = try await search(order)
            #expect(all.count == 18)
            for limit in [1, 4, 18] {
                var hits: [SearchHit] = []
                while true {
                    let page = try await search(
                        order,
                        after: order == .rank ? nil : hits.last?.message.cursor,
                        afterRank: hits.last?.rankCursor,
                        limit: limit
                    )
                    hits += page
                    if page.count < limit { break }
                }
                #expect(hits.map(\.message.id) == all.map(\.message.id))
            }
        }
        let last = try #require(try await search(.rank, limit: 1).first)
        for (order, cursor, rank) in [
            (SearchOrder.rank, Optional(last.message.cursor), RankCursor?.none),
            (.newestFirst, nil, last.rankCursor),
        ] {
            let error = await #expect(throws: MessageBeastError.self) {
                try await search(order, after: cursor, afterRank: rank)
            }
            #expect(error?.kind == .invalidArgument)
        }
        await manager.stop()
    }
}
