import ConAir
import Foundation
import Testing

@Suite("The time of a point")
struct SeriesTimeTests {
    @Test(
        "the time of a point is parsed in both forms of the service",
        arguments: [
            ("2012-12-11 20:28:00 +0000", 1_355_257_680_000_000),
            ("2012-12-11T20:28:00Z", 1_355_257_680_000_000),
            ("2012-12-11T20:28:00.25Z", 1_355_257_680_250_000),
            ("2012-12-11 20:28:00.25 +0000", 1_355_257_680_250_000),
            ("2012-12-11T20:28:00.1234567891234Z", 1_355_257_680_123_456),
            ("2012-12-11 22:28:00 +0200", 1_355_257_680_000_000),
            ("2012-12-11T22:28:00+02:00", 1_355_257_680_000_000),
            ("2012-12-11 14:58:00 -0530", 1_355_257_680_000_000),
            ("1969-12-31T23:59:59Z", -1_000_000),
            ("1970-01-01 00:00:00 +0000", 0),
        ] as [(String, Int64)]
    )
    func reading(text: String, microseconds: Int64) throws {
        #expect(try #require(SeriesTime(text)).microseconds == microseconds)
    }

    @Test(
        "the time of a point needs date, time and offset",
        arguments: [
            "", "2012-12-11", "2012-12-11 20:28:00", "2012-12-11T20:28:00", "2012-12-11 20:28 +0000",
            "2012-13-11 20:28:00 +0000", "2012-02-30 20:28:00 +0000", "2012-12-11 24:00:00 +0000",
            "2012-12-11 20:28:00  +0000", "2012-12-11 20:28:00 +0000 ", " 2012-12-11 20:28:00 +0000",
            "2012-12-11 20:28:00 UTC", "2012-12-11 20:28:00 +00000", "1355257680", "2012-12-11 20:28:00 +2400",
            "2012-12-11T20:28:00." + String(repeating: "1", count: 60) + "Z", "2012-12-11 20:28:00 ",
        ]
    )
    func unreadable(text: String) { #expect(SeriesTime(text) == nil) }

    @Test(
        "the time of a point is printed in UTC, with a fraction only if it has one",
        arguments: [
            (1_355_257_680_000_000, "2012-12-11T20:28:00Z"), (1_355_257_680_000_001, "2012-12-11T20:28:00.000001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (.min, "0001-01-01T00:00:00Z"),
            (.max, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)]
    )
    func writing(microseconds: Int64, text: String) {
        let time = SeriesTime(microseconds: microseconds)
        #expect(time.description == text)
        #expect(SeriesTime(text) == time)
    }

    @Test("the time of a point stays within the years 1 to 9999")
    func bounds() {
        let last = SeriesTime(microseconds: .max)
        let first = SeriesTime(microseconds: .min)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(last.advanced(by: .seconds(Int64.max)) == last)
        #expect(first.advanced(by: .seconds(Int64.min)) == first)
        #expect(SeriesTime(seconds: .max) == last && SeriesTime(seconds: .min) == first)
        #expect(SeriesTime(Date.distantPast) == first)
        #expect(SeriesTime(Date(timeIntervalSince1970: 1e300)) == last)
        #expect(SeriesTime(Date(timeIntervalSince1970: .nan)) == last)
        #expect(first.duration(to: last) == .microseconds(last.microseconds - first.microseconds))
    }

    @Test("the time of a point is as exact as a date of the present")
    func dates() {
        let time = SeriesTime(microseconds: 1_355_257_680_123_456)
        #expect(SeriesTime(time.date) == time)
        #expect(SeriesTime(Date(timeIntervalSince1970: 1.5)) == SeriesTime(microseconds: 1_500_000))
    }
}
