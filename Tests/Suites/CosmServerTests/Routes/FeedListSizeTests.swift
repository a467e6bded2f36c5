import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Sizes of lists of feeds", .timeLimit(.minutes(5)))
struct FeedListSizeTests {
    @Test("a list of feeds that is too long is 400, and a shorter one is answered")
    func bounds() async throws {
        try await withCosm { peer in
            let long = String(repeating: "x", count: FeedRules.maximumText)
            let count = FeedListSize.maximum / FeedRules.maximumText + 1
            for number in 0..<count { try await peer.createFeed(#"{"title":"\#(number)","description":"\#(long)"}"#) }
            let refused = try await peer.get("/feeds?per_page=\(count)")
            #expect(refused.status == 400 && refused.text.contains("per_page"), "\(refused.text.prefix(300))")
            #expect(try await peer.get("/feeds?per_page=50").status == 200)
        }
    }
}
