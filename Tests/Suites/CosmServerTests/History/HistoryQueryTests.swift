import HTTPTypes
import HeliumServer
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Parameters of Cosm's history")
struct HistoryQueryTests {
    static let now = stamp("2013-06-15T12:00:00Z")

    private func parse(_ query: String, minimum: Int = 0) throws -> HistoryQuery? {
        try HistoryQuery.parse(FormFields(query: query[...]), now: Self.now, minimumInterval: minimum)
    }

    /// Start, end, interval and limit in words.
    private func words(_ query: HistoryQuery?) -> String {
        guard let query else { return "no history" }
        func short(_ instant: ServerInstant) -> String { String(instant.text().dropFirst(5).prefix(14)) }
        return "\(query.start.map(short) ?? "-") \(short(query.end)) \(query.interval) \(query.limit)"
    }

    @Test(
        "the parameters of a history give its window, interval and limit",
        arguments: [
            ("", "no history"), ("timezone=+1&datastreams=a", "no history"), ("page=2&per_page=10", "no history"),
            ("limit=10", "- 06-15T12:00:00 0 10"), ("interval=900", "- 06-15T12:00:00 900 100"),
            ("limit=99999", "- 06-15T12:00:00 0 1000"),
            ("limit=5&per_page=7", "- 06-15T12:00:00 0 5"),
            ("end=2013-06-01T00:00:00Z&per_page=7", "- 06-01T00:00:00 0 7"),
            ("duration=6hours", "06-15T06:00:00 06-15T12:00:00 0 100"),
            ("duration=3600", "06-15T11:00:00 06-15T12:00:00 0 100"),
            ("duration=1day", "06-14T12:00:00 06-15T12:00:00 60 100"),
            ("duration=1month", "05-15T12:00:00 06-15T12:00:00 1800 100"),
            ("duration=1year", "06-15T12:00:00 06-15T12:00:00 43200 100"),
            ("duration=30minutes&end=2013-06-01T00:00:00Z", "05-31T23:30:00 06-01T00:00:00 0 100"),
            ("duration=2weeks&start=2013-05-01T00:00:00Z", "05-01T00:00:00 05-15T00:00:00 900 100"),
            ("start=2013-06-15T11:00:00Z", "06-15T11:00:00 06-15T12:00:00 0 100"),
            ("start=2013-06-15T00:00:00Z", "06-15T00:00:00 06-15T12:00:00 30 100"),
            ("start=2013-06-15T00:00:00Z&interval=0", "06-15T00:00:00 06-15T06:00:00 0 100"),
            ("start=2013-01-01T00:00:00Z&interval=60", "01-01T00:00:00 01-02T00:00:00 60 100"),
            ("start=2010-01-01T00:00:00Z", "01-01T00:00:00 01-02T00:00:00 86400 100"),
            ("start=2013-07-01T00:00:00Z", "07-01T00:00:00 07-01T00:00:00 0 100"),
            ("start=2013-06-15T10:00:00 01:00", "06-15T09:00:00 06-15T12:00:00 0 100"),
            ("duration=1hour&interval=31", "06-15T11:00:00 06-15T12:00:00 60 100"),
            ("duration=1hour&interval=100000", "06-15T11:00:00 06-15T12:00:00 86400 100"),
            ("find_previous=True", "- 06-15T12:00:00 0 100"), ("function=average", "- 06-15T12:00:00 0 100"),
        ]
    )
    func windows(_ query: String, _ expected: String) throws { #expect(words(try parse(query)) == expected) }

    @Test(
        "contradictory or invalid parameters of a history are refused with 400",
        arguments: [
            "start=yesterday", "end=2013-06-15", "duration=soon", "duration=1fortnight", "duration=", "limit=0",
            "limit=-1", "limit=ten", "interval=-1", "interval=1.5", "interval_type=wild&limit=1", "function=median",
            "start=2013-06-02T00:00:00Z&end=2013-06-01T00:00:00Z",
            "start=2013-06-01T00:00:00Z&end=2013-06-02T00:00:00Z&duration=1day",
            "start=2013-06-01T00:00:00Z&end=2013-06-01T07:00:00Z&interval=0", "duration=13hours&interval=30",
            "duration=367days", "duration=2years&interval=86400", "page=0&limit=1", "page=100000&limit=1000",
        ]
    )
    func refusals(_ query: String) throws {
        if query == "duration=" {
            #expect(try parse(query) == nil)
            return
        }
        let error = #expect(throws: CosmFailure.self) { try parse(query) }
        #expect(error?.status == .badRequest)
    }

    @Test("each interval of a history allows its documented longest window and no more", arguments: HistoryInterval.all)
    func longestWindows(_ interval: HistoryInterval) throws {
        let query = "interval=\(interval.seconds)&duration="
        #expect(try parse(query + "\(interval.longestWindow)seconds")?.interval == interval.seconds)
        #expect(throws: CosmFailure.self) { try parse(query + "\(interval.longestWindow + 1)seconds") }
    }

    @Test("the minimum interval of a key makes a history coarser, and not shorter")
    func minimumInterval() throws {
        #expect(try parse("duration=1hour", minimum: 300)?.interval == 300)
        #expect(try parse("duration=1hour&interval=60", minimum: 200)?.interval == 300)
        #expect(try parse("limit=5", minimum: 60)?.interval == 60)
        #expect(try parse("duration=1hour&interval=900", minimum: 60)?.interval == 900)
    }
}
