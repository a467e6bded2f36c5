import GRDB
import HeliumServer
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Sampling of Cosm's history")
struct HistoryReaderTests {
    /// The rules, without regard to cost.
    struct Oracle {
        let points: [Datapoint]

        func answer(_ query: HistoryQuery) -> [Datapoint] {
            let count = query.offset + query.limit
            let inWindow = points.filter { $0.at <= query.end && $0.at >= query.start ?? .earliest }
            var answer: [Datapoint]
            if query.interval == 0 {
                answer = inWindow
            } else {
                let step = Int64(query.interval) * 1_000_000
                let first = (query.start ?? points.first?.at ?? query.end).microseconds
                var grid: [ServerInstant] = []
                var instant = (first - 1).quotientAndRemainder(dividingBy: step).quotient * step
                while instant <= query.end.microseconds {
                    if instant >= first { grid.append(ServerInstant(microseconds: instant)) }
                    instant += step
                }
                answer = []
                for instant in grid {
                    let pool = query.isDiscrete ? points.filter { $0.at <= query.end } : inWindow
                    guard let sample = pool.last(where: { $0.at <= instant }) else { continue }
                    if query.isDiscrete {
                        answer.append(Datapoint(at: instant, value: sample.value))
                    } else if answer.last != sample {
                        answer.append(sample)
                    }
                }
            }
            guard let start = query.start else {
                return Array(answer.dropLast(min(query.offset, answer.count)).suffix(query.limit))
            }
            if query.findsPrevious, !(query.isDiscrete && query.interval > 0),
                let previous = points.last(where: { $0.at < start })
            {
                answer.insert(previous, at: 0)
            }
            return Array(answer.prefix(count).dropFirst(query.offset))
        }
    }

    /// Points in an array.
    struct Points: PointSource {
        let points: [Datapoint]

        func newest(from start: ServerInstant, through end: ServerInstant) -> Datapoint? {
            points.last { $0.at <= end && $0.at >= start }
        }

        func oldest(from start: ServerInstant, through end: ServerInstant) -> Datapoint? {
            points.first { $0.at <= end && $0.at >= start }
        }

        func forEach(
            from start: ServerInstant,
            through end: ServerInstant,
            newestFirst: Bool,
            _ body: (Datapoint) throws -> Bool
        ) rethrows {
            let range = points.filter { $0.at <= end && $0.at >= start }
            for point in newestFirst ? range.reversed() : range where try !body(point) { return }
        }
    }

    private func point(_ text: String, _ value: String) -> Datapoint { Datapoint(at: stamp(text), value: value) }

    @Test("a sample is the newest point at or before its instant, with the point's own timestamp")
    func capturedExample() throws {
        let points = Points(points: [
            point("2013-01-10T14:14:55Z", "a"), point("2013-01-10T14:15:05Z", "b"),
            point("2013-01-10T14:29:55Z", "c"), point("2013-01-10T14:45:00Z", "d"), point("2013-01-10T14:50:00Z", "e"),
        ])
        var query = HistoryQuery(
            start: stamp("2013-01-10T14:00:00Z"),
            end: stamp("2013-01-10T15:00:00Z"),
            interval: 900,
            limit: 100
        )
        #expect(try HistoryReader(source: points).points(query).map(\.value) == ["a", "c", "d", "e"])
        query.isDiscrete = true
        let discrete = try HistoryReader(source: points).points(query)
        #expect(discrete.map(\.value) == ["a", "c", "d", "e"])
        #expect(
            discrete.map { $0.at.text().dropFirst(11).prefix(8) } == ["14:15:00", "14:30:00", "14:45:00", "15:00:00"]
        )
    }

    @Test(
        "the point before the start counts towards the limit, and pages go on after it",
        arguments: [
            (1, 0, ["1.0"]), (2, 0, ["1.0", "2.0"]), (3, 0, ["1.0", "2.0", "3.0"]),
            (4, 0, ["1.0", "2.0", "3.0", "4.0"]), (100, 0, ["1.0", "2.0", "3.0", "4.0"]), (1, 1, ["2.0"]),
            (2, 2, ["3.0", "4.0"]), (3, 3, ["4.0"]), (100, 100, []),
        ] as [(Int, Int, [String])]
    )
    func previousPoint(limit: Int, offset: Int, expected: [String]) throws {
        let points = Points(points: [
            point("2013-01-10T13:59:30Z", "1.0"), point("2013-01-10T14:01:00Z", "2.0"),
            point("2013-01-10T14:02:00Z", "3.0"), point("2013-01-10T14:03:00Z", "4.0"),
        ])
        // Every point, samples and averages have the same values.
        for (interval, isAverage) in [(0, false), (60, false), (60, true)] {
            var query = HistoryQuery(
                start: stamp("2013-01-10T14:00:00Z"),
                end: stamp("2013-01-10T15:00:00Z"),
                interval: interval,
                isAverage: isAverage,
                limit: limit,
                offset: offset
            )
            query.findsPrevious = true
            #expect(try HistoryReader(source: points).points(query).map(\.value) == expected, "\(query)")
        }
    }

    @Test(
        "samples of random queries are those of the rules applied to every point",
        .tags(.random),
        arguments: ProofLength.seeds(4)
    )
    func equalsOracle(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let base = stamp("2013-01-10T00:00:00Z")
        var at = base.microseconds
        var points: [Datapoint] = []
        for index in 0..<random.below(80) {
            // Dense stretches and long gaps, and now and then a point exactly on the grid.
            at +=
                Int64(random.oneIn(6) ? random.below(40_000) : random.below(90)) * 1_000_000 + 1
                + Int64(random.below(9))
            if random.oneIn(8) { at -= at % 900_000_000 - 900_000_000 }
            points.append(Datapoint(at: ServerInstant(microseconds: at), value: "\(index)"))
        }
        for _ in 0..<40 {
            let start = base.adding(seconds: Int64(random.below(200_000)) - 20_000)
            var query = HistoryQuery(
                start: random.oneIn(3) ? nil : start,
                end: start.adding(seconds: Int64(random.below(200_000))),
                interval: random.pick([0, 30, 60, 300, 900, 3600]),
                limit: random.pick([1, 2, 7, 100, 1000])
            )
            query.isDiscrete = random.oneIn(2)
            query.findsPrevious = random.oneIn(2)
            query.offset = random.oneIn(4) ? query.limit : 0
            let answer = try HistoryReader(source: Points(points: points)).points(query)
            // Back in time a grid has no first instant but that of the oldest point.
            #expect(answer == Oracle(points: points).answer(query), "\(query)")
        }
    }

    @Test("an average is that of the numbers in its interval, with the timestamp of its end")
    func averages() throws {
        let points = Points(points: [
            point("2013-01-10T14:00:01Z", "1"), point("2013-01-10T14:10:00Z", "2"),
            point("2013-01-10T14:15:00Z", "6"), point("2013-01-10T14:16:00Z", "text"),
            point("2013-01-10T14:40:00Z", "10.5"),
        ])
        var query = HistoryQuery(
            start: stamp("2013-01-10T14:00:00Z"),
            end: stamp("2013-01-10T15:00:00Z"),
            interval: 900,
            isAverage: true,
            limit: 100
        )
        let expected = [point("2013-01-10T14:15:00Z", "3.0"), point("2013-01-10T14:45:00Z", "10.5")]
        #expect(try HistoryReader(source: points).points(query) == expected)
        query.limit = 1
        #expect(try HistoryReader(source: points).points(query) == [expected[0]])
        query.start = nil
        #expect(try HistoryReader(source: points).points(query) == [expected[1]])
    }

    /// A store with one stream of a point a minute for 365 days.
    private func year(_ body: @Sendable @escaping (Database) throws -> Void) async throws {
        let database = try ServerDatabase.memory()
        try CosmSchema.migrate(database)
        try await database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE minute(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM minute LIMIT 525600)
                    INSERT INTO cosm_datapoint SELECT 1, ? + number * 60000000, CAST(number AS TEXT) FROM minute
                    """,
                arguments: [stamp("2013-01-01T00:00:00Z").microseconds]
            )
            try body(database)
        }
    }

    @Test("a history of a year at one point a minute reads one row for each sample")
    func workOfAYear() async throws {
        try await year { database in
            let work = HistoryWork()
            let query = try #require(
                try HistoryQuery.parse(
                    FormFields(query: "start=2013-01-01T00:00:00Z&duration=365days&interval=86400&limit=1000"),
                    now: stamp("2014-01-01T00:00:00Z")
                )
            )
            let points = try HistoryReader(source: StoredPoints(database: database, stream: 1, work: work)).points(
                query
            )
            #expect(points.count == 366)
            #expect(points[1] == Datapoint(at: stamp("2013-01-02T00:00:00Z"), value: "1440"))
            #expect(points.last?.value == "525599")
            #expect(work.seeks == 366)
            #expect(work.rows == 366)
        }
    }

    @Test("the latest points, and samples across long gaps, cost no more than the points returned")
    func workOfGaps() async throws {
        try await year { database in
            func cost(_ query: String) throws -> (points: Int, seeks: Int, rows: Int) {
                let work = HistoryWork()
                let parsed = try #require(
                    try HistoryQuery.parse(FormFields(query: query[...]), now: stamp("2016-01-01T00:00:00Z"))
                )
                let source = StoredPoints(database: database, stream: 1, work: work)
                return (try HistoryReader(source: source).points(parsed).count, work.seeks, work.rows)
            }
            // Two years of silence lie between the last point and now.
            #expect(try cost("limit=10") == (10, 1, 10))
            #expect(try cost("interval=900&limit=10") == (10, 10, 10))
            // The points end within the window: the last instants cost one look for what comes after them.
            let cut = try cost("start=2013-12-31T12:00:00Z&end=2014-01-01T12:00:00Z&interval=60&limit=1000")
            #expect(cut == (720, 722, 720))
            let none = try cost("start=2015-01-01T00:00:00Z&interval=86400&limit=1000")
            #expect(none == (0, 2, 0))
            let discrete = try cost(
                "start=2015-01-01T00:00:00Z&duration=300days&interval=86400&interval_type=discrete&limit=1000"
            )
            #expect(discrete == (301, 3, 1))
        }
    }

    @Test(
        "every statement of a history uses the clustered key",
        arguments: [StoredPoints.newest, StoredPoints.oldest, StoredPoints.ascending, StoredPoints.descending]
    )
    func usesTheKey(_ sql: String) async throws {
        let database = try ServerDatabase.memory()
        try CosmSchema.migrate(database)
        let plan = try await database.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: [1, 0, 1]).map {
                $0["detail"] as String
            }
        }
        #expect(plan == ["SEARCH cosm_datapoint USING PRIMARY KEY (stream=? AND at>? AND at<?)"])
    }
}
