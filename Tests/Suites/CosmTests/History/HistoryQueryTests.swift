import HeliumCore
import Testing

@testable import Cosm

@Suite("Queries of Cosm's history")
struct HistoryQueryTests {
    private let start = Timestamp("2012-02-28T12:00:00Z") ?? .now

    @Test(
        "each interval of a history query allows its longest window, and not a microsecond more",
        arguments: [
            (0, 6 * 3600), (30, 12 * 3600), (60, 86_400), (300, 5 * 86_400), (900, 14 * 86_400), (1800, 31 * 86_400),
            (3600, 31 * 86_400), (10_800, 90 * 86_400), (21_600, 180 * 86_400), (43_200, 366 * 86_400),
            (86_400, 366 * 86_400),
        ]
    )
    func windows(seconds: Int, longest: Int) throws {
        let interval = HistoryInterval(roundingUp: seconds)
        #expect(interval.seconds == seconds)
        let end = start.adding(.seconds(longest))
        try HistoryQuery(start: start, end: end, interval: interval).validate()
        let beyond = Timestamp(microseconds: end.microseconds + 1)
        for query in [
            HistoryQuery(start: start, end: beyond, interval: interval),
            HistoryQuery(start: start, duration: .seconds(longest + 1), interval: interval),
        ] {
            let error = try #require(throws: CosmError.self) { try query.validate() }
            #expect(error.kind == .invalidRequest && error.message.contains("longer than"))
        }
    }

    @Test(
        "other intervals are rounded up, and those longer than a day become a day",
        arguments: [(1, 30), (31, 60), (900, 900), (901, 1800), (1801, 3600), (86_401, 86_400), (-5, 0), (0, 0)]
    )
    func rounding(asked: Int, given: Int) {
        #expect(HistoryInterval(roundingUp: asked).seconds == given)
    }

    @Test("a history query without an interval gets the finest that allows its window")
    func finest() throws {
        #expect(HistoryInterval.finest(from: start, to: start.adding(.hours(6))) == .everyPoint)
        #expect(HistoryInterval.finest(from: start, to: start.adding(.hours(7))) == .halfMinute)
        #expect(HistoryInterval.finest(from: start, to: start.adding(.days(31))) == .halfHour)
        #expect(HistoryInterval.finest(from: start, to: start.adding(.years(1))) == .halfDay)
        try HistoryQuery(start: start, duration: .years(1)).validate()
        #expect(throws: CosmError.self) {
            try HistoryQuery(start: start, duration: .seconds(366 * 86_400 + 1)).validate()
        }
        try HistoryQuery(start: start).validate()
        try HistoryQuery(end: start).validate()
    }

    @Test("a duration reaches back from the end, or from now")
    func backwards() throws {
        let query = HistoryQuery(end: start, duration: .days(1))
        #expect(try query.window(now: .now)?.start == start.adding(.days(-1)))
        let alone = HistoryQuery(duration: .hours(6), interval: .everyPoint)
        #expect(try alone.window(now: start)?.end == start)
        #expect(throws: CosmError.self) {
            try HistoryQuery(duration: .hours(7), interval: .everyPoint).validate(now: start)
        }
    }

    @Test(
        "a history query that the service refuses is refused before a request",
        arguments: [
            (HistoryQuery(start: .now, end: .now, duration: .days(1)), "exclude each other"),
            (HistoryQuery(start: .now, end: Timestamp(microseconds: 0)), "start is after end"),
            (HistoryQuery(limit: 0), "limit is 0"), (HistoryQuery(limit: 1001), "limit is 1001"),
            (HistoryQuery(page: 0), "page is 0"), (HistoryQuery(duration: .hours(0)), "duration 0hours"),
            (HistoryQuery(duration: .days(-1)), "duration -1days"),
        ]
    )
    func refused(query: HistoryQuery, reason: String) throws {
        let error = try #require(throws: CosmError.self) { try query.validate() }
        #expect(error.kind == .invalidRequest && error.message.contains(reason), "\(error)")
    }

    @Test("the parameters of a history query have the service's names")
    func parameters() throws {
        let query = HistoryQuery(
            start: start,
            duration: .minutes(30),
            interval: .minute,
            intervalType: .discrete,
            limit: 7,
            page: 2,
            findsPrevious: true,
            function: .average
        )
        let parameters = try query.parameters(now: .now)
        for (name, value) in [
            ("start", "2012-02-28T12:00:00.000000Z"), ("duration", "30minutes"), ("interval", "60"),
            ("interval_type", "discrete"), ("limit", "7"), ("page", "2"), ("find_previous", "true"),
            ("function", "average"),
        ] {
            #expect(parameters[name] == .single(value), "\(name)")
        }
        #expect(parameters["end"] == .absent)
    }

    @Test(
        "durations are parsed and printed",
        arguments: [
            ("30minutes", CosmDuration.minutes(30), "30minutes"), ("1day", .days(1), "1day"),
            ("1days", .days(1), "1day"),
            ("3600", .seconds(3600), "3600seconds"), ("2WEEKS", .weeks(2), "2weeks"), ("1month", .months(1), "1month"),
            ("6years", .years(6), "6years"), ("0second", .seconds(0), "0seconds"),
        ]
    )
    func durations(text: String, duration: CosmDuration, written: String) {
        #expect(CosmDuration(text) == duration && duration.description == written)
        #expect(CosmDuration(written) == duration)
    }

    @Test(
        "an invalid duration is refused",
        arguments: ["", "day", "1 day", "-1day", "1.5hours", "1fortnight", "1dayss", "9999999999999999999"]
    )
    func noDurations(text: String) {
        #expect(CosmDuration(text) == nil)
    }

    @Test(
        "months and years of a duration are those of the calendar",
        arguments: [
            ("2012-01-31T10:00:00.5Z", CosmDuration.months(1), "2012-02-29T10:00:00.500000Z"),
            ("2012-02-29T00:00:00Z", .years(1), "2013-02-28T00:00:00.000000Z"),
            ("2012-02-29T00:00:00Z", .years(-4), "2008-02-29T00:00:00.000000Z"),
            ("2012-01-15T00:00:00Z", .months(-1), "2011-12-15T00:00:00.000000Z"),
            ("2012-12-31T00:00:00Z", .months(14), "2014-02-28T00:00:00.000000Z"),
            ("1969-12-31T23:00:00Z", .hours(2), "1970-01-01T01:00:00.000000Z"),
            ("1969-12-31T23:00:00Z", .months(2), "1970-02-28T23:00:00.000000Z"),
            ("2012-01-01T00:00:00Z", .weeks(2), "2012-01-15T00:00:00.000000Z"),
            ("2012-01-01T00:00:00Z", .years(Int.max), "9999-12-31T23:59:59.999999Z"),
            ("2012-01-01T00:00:00Z", .days(Int.min), "0001-01-01T00:00:00.000000Z"),
            ("2012-01-01T00:00:00Z", .months(Int.min), "0001-01-01T00:00:00.000000Z"),
        ]
    )
    func calendar(from: String, duration: CosmDuration, to: String) throws {
        #expect(try #require(Timestamp(from)).adding(duration).description == to)
    }
}
