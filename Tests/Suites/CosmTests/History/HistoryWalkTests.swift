import TestSupport
import Testing

@testable import Cosm

@Suite("Walking along a history")
struct HistoryWalkTests {
    /// Takes the whole walk; how many requests it took.
    private func points(_ walk: HistoryWalk, _ server: SimulatedHistory) throws -> (points: [Datapoint], requests: Int)
    {
        var walk = walk
        var points: [Datapoint] = []
        var requests = 0
        while let query = walk.next() {
            requests += 1
            try query.validate()
            points += try walk.take(try server.answer(query))
            try #require(requests < 20_000, "the walk has no end")
        }
        #expect(walk.isOver && walk.next() == nil)
        return (points, requests)
    }

    @Test("a walk along a history has all its points, for random histories and limits", .tags(.random))
    func complete() throws {
        var random = ProofLength.random(seed: 601)
        for _ in ProofLength.rounds(30) {
            let interval = random.pick(HistoryInterval.all)
            let begin = Timestamp(
                microseconds: Int64(random.below(1_500_000_000)) * 1_000_000 + Int64(random.below(1_000_000))
            )
            let spacing = random.pick([3, 60, 900, 20_000])
            let server = SimulatedHistory(&random, from: begin, spacing: spacing, count: random.below(400))
            let start = begin.adding(.seconds(random.below(100_000) - 20_000))
            let longest = interval.seconds == 0 ? 400_000 : interval.seconds * 2500
            let end = start.adding(.seconds(random.below(longest)))
            let type: HistoryQuery.IntervalType? = random.oneIn(3) ? .discrete : nil
            let template = HistoryQuery(intervalType: type)
            let limit = random.pick([2, 3, 10, 100, 1000])
            let walk = HistoryWalk(from: start, to: end, interval: interval, template: template, limit: limit)
            let whole = HistoryQuery(start: start, end: end, interval: interval, intervalType: type)
            let expected = try server.answer(whole, isLimited: false)
            let found = try points(walk, server)
            #expect(found.points == expected, "interval \(interval.seconds) limit \(limit) \(start) \(end)")
            // No more requests than points and stretches make necessary.
            let seconds = Int(end.microseconds - start.microseconds) / 1_000_000
            let stretch = [0: 21_600, 30: 43_200, 60: 86_400][interval.seconds] ?? 5 * 86_400
            #expect(found.requests <= expected.count / (limit - 1) + seconds / (stretch - interval.seconds) + 3)
        }
    }

    @Test("the point before the start of a history comes first and once, on request")
    func previous() throws {
        let start = try #require(Timestamp("2013-01-01T00:00:00Z"))
        let server = SimulatedHistory(
            (-3..<2000).map { Datapoint(at: start.adding(.seconds($0 * 30)), value: DatapointValue($0)) }
        )
        let end = start.adding(.hours(14))
        let template = HistoryQuery(findsPrevious: true)
        for limit in [2, 100, 1000] {
            let walk = HistoryWalk(from: start, to: end, interval: .everyPoint, template: template, limit: limit)
            let found = try points(walk, server).points
            #expect(found.map(\.value?.text) == (-1...1680).map { "\($0)" })
        }
    }

    @Test("an empty history takes one request for each of its stretches")
    func empty() throws {
        let start = try #require(Timestamp("2013-01-01T00:00:00Z"))
        let server = SimulatedHistory([])
        func requests(_ end: Timestamp, _ interval: HistoryInterval) throws -> Int {
            try points(HistoryWalk(from: start, to: end, interval: interval, limit: 1000), server).requests
        }
        #expect(try requests(start, .everyPoint) == 1)
        #expect(try requests(start.adding(.hours(6)), .everyPoint) == 1)
        #expect(try requests(start.adding(.hours(18)), .everyPoint) == 3)
        #expect(try requests(start.adding(.days(1096)), .day) == 4)
        #expect(HistoryWalk(from: start.adding(.days(1)), to: start, interval: .day, limit: 9).isOver)
    }

    @Test("points of a response that are out of order, or of one instant, are sorted out")
    func disordered() throws {
        let start = try #require(Timestamp("2013-01-01T00:00:00Z"))
        var walk = HistoryWalk(from: start, to: start.adding(.hours(1)), interval: .everyPoint, limit: 100)
        _ = walk.next()
        let points = [5, 3, 3, 4].map { Datapoint(at: start.adding(.seconds($0)), value: DatapointValue($0)) }
        #expect(try walk.take(points + [Datapoint(value: "no stamp")]).map(\.value?.text) == ["3", "4", "5"])
        #expect(walk.isOver)
    }

    @Test("a walk ends with an error if the server repeats a full page")
    func stuck() throws {
        let start = try #require(Timestamp("2013-01-01T00:00:00Z"))
        var walk = HistoryWalk(from: start, to: start.adding(.hours(1)), interval: .everyPoint, limit: 2)
        let page = [1, 2].map { Datapoint(at: start.adding(.seconds($0)), value: "x") }
        _ = walk.next()
        #expect(try walk.take(page).count == 2)
        _ = walk.next()
        #expect(throws: CosmError.self) { _ = try walk.take(page) }
    }
}
