import Foundation
import Testing

@testable import Cosm

/// 2,000 updates and 50 cuts, or as many as `HELIUM_LIVE_UPDATES` and `HELIUM_LIVE_CUTS` say; `make soak` does 10,000 and 200
/// with the embedded server.
@Suite("Updates over a socket that is cut", .timeLimit(.minutes(5)))
struct LiveUpdatesTests {
    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    private static let updates = number("HELIUM_LIVE_UPDATES", 2000)
    private static let cuts = number("HELIUM_LIVE_CUTS", 50)

    @Test(
        "updates over a connection that is cut have every final value, and none is applied twice",
        arguments: [false, true]
    )
    func finalValues(isRaw: Bool) async throws {
        let (written, feed) = try await LiveScenario(updates: Self.updates, cuts: Self.cuts, isRaw: isRaw).run()
        #expect(feed.faults == 0)
        for (id, point) in written {
            #expect(feed.values[id] == point.value, "\(id)")
            #expect(feed.instants[id]?.last == point.at, "\(id)")
        }
        #expect(feed.resynchronised > 0)
    }

    @Test(
        "updates over a connection that is cut are complete and in order if gaps are filled from history",
        arguments: [false, true]
    )
    func complete(isRaw: Bool) async throws {
        let scenario = LiveScenario(
            updates: Self.updates,
            cuts: Self.cuts,
            isRaw: isRaw,
            fillsGaps: true,
            seed: 7
        )
        let (_, feed) = try await scenario.run()
        // A gap may be told all the same: after a cut between a state and the next push, what was under way is in doubt.
        #expect(feed.faults == 0)
        let told = feed.instants.values.reduce(0) { $0 + $1.count }
        // The three that were there at the beginning, and all that came.
        #expect(told == Self.updates + 3)
    }
}
