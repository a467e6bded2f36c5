import TestSupport
import Testing

@testable import ConAir

@Suite("The merge of a reply")
struct MergeDecisionTests {
    private func merge(
        _ reply: [SeriesPoint],
        into known: [SeriesPoint],
        oldest: SeriesTime = noon - 86_400,
        maximumCount: Int = 1000
    ) -> MergeDecision {
        MergeDecision(reply, into: SeriesPoints(known), now: noon, oldest: oldest, maximumCount: maximumCount)
    }

    private func point(_ seconds: Int, _ value: Double) -> SeriesPoint {
        SeriesPoint(time: noon + seconds, value: value)
    }

    @Test("merging a reply inserts new and late points, and replaces corrected ones")
    func changes() {
        let known = [point(-600, 1), point(-360, 2), point(-240, 3), point(-120, 4)]
        let decision = merge([point(-480, 9), point(-360, 2), point(-240, 5), point(0, 6)], into: known)
        #expect(decision.inserted == [point(-480, 9), point(0, 6)])
        #expect(decision.replaced == [point(-240, 5)])
        #expect(decision.removed.isEmpty && decision.aheadCount == 0)
    }

    @Test("merging a reply keeps known points that it lacks, and changes nothing without a difference")
    func nothing() {
        let known = [point(-240, 3), point(-120, -0.0)]
        #expect(merge([], into: known).isEmpty)
        #expect(merge([point(-120, 0)], into: known).isEmpty)
    }

    @Test(
        "merging a reply drops and counts points more than an hour ahead of the server",
        arguments: [(3600, 0), (3601, 1), (2_000_000_000, 1)]
    )
    func ahead(seconds: Int, count: Int) {
        let decision = merge([point(-120, 1), point(seconds, 2)], into: [])
        #expect(decision.aheadCount == count)
        #expect(decision.inserted.count == 2 - count)
    }

    @Test("merging a reply removes points that are too old, and does not insert such")
    func age() {
        let known = [point(-1000, 1), point(-500, 2), point(-100, 3)]
        let decision = merge([point(-900, 4), point(-500, 5), point(-400, 6)], into: known, oldest: noon - 500)
        #expect(decision.removed == [point(-1000, 1)])
        #expect(decision.inserted == [point(-400, 6)] && decision.replaced == [point(-500, 5)])
    }

    @Test("merging a reply removes the oldest points beyond the limit, each reported at most once")
    func count() {
        let known = [point(-500, 1), point(-400, 2), point(-300, 3)]
        let decision = merge(
            [point(-500, 9), point(-450, 4), point(-200, 5), point(-100, 6)],
            into: known,
            maximumCount: 3
        )
        #expect(decision.removed == [point(-500, 1), point(-400, 2)])
        #expect(decision.inserted == [point(-200, 5), point(-100, 6)])
        #expect(decision.replaced.isEmpty)
    }

    @Test("merging cached points replaces nothing")
    func cached() {
        let decision = MergeDecision(
            cached: [point(-300, 1), point(-200, 2), point(900_000, 3)],
            into: SeriesPoints([point(-200, 5)]),
            maximumCount: 10
        )
        #expect(decision.inserted == [point(-300, 1), point(900_000, 3)] && decision.replaced.isEmpty)
    }

    @Test(
        "merging replies has the points of a dictionary, with every limit",
        .tags(.random),
        arguments: ProofLength.seeds(20)
    )
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var points = SeriesPoints()
        for _ in 0..<20 {
            var reply: [Int: Double] = [:]
            for _ in 0..<random.below(12) { reply[random.below(60) - 50] = Double(random.below(4)) }
            let (oldest, count) = (-random.below(60), 1 + random.below(40))
            var expected: [SeriesTime: Double] = [:]
            for point in points { expected[point.time] = point.value }
            for (time, value) in reply { expected[noon + time] = value }
            let kept = expected.keys.filter { $0 >= noon + oldest }.sorted().suffix(count)
            let decision = MergeDecision(
                SeriesPoints(reply.map { point($0.key, $0.value) }).map(\.self),
                into: points,
                now: noon,
                oldest: noon + oldest,
                maximumCount: count
            )
            let before = points
            points.apply(decision)
            #expect(points.map(\.time) == Array(kept))
            #expect(points.allSatisfy { expected[$0.time] == $0.value })
            #expect(decision.removed == Array(before.prefix(decision.removed.count)))
            #expect(
                decision.inserted.allSatisfy {
                    before.value(at: $0.time) == nil && points.value(at: $0.time) == $0.value
                }
            )
            #expect(
                decision.replaced.allSatisfy {
                    before.value(at: $0.time) != $0.value && points.value(at: $0.time) == $0.value
                }
            )
        }
    }
}
