import Foundation
import Testing

@testable import ConAir

@Suite("Ticks of times")
struct TimeScaleTests {
    private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private func ticks(_ zone: String, _ from: String, _ to: String, _ maximum: Int) throws -> [String] {
        let scale = TimeScale(zone: try self.zone(zone))
        let window = try #require(SeriesTime(from))..<(try #require(SeriesTime(to)))
        return scale.ticks(window, maximum: maximum).map { "\($0.time) \($0.label)\($0.isMajor ? "*" : "")" }
    }

    @Test("the time axis of a day has ticks every three hours, and the date at midnight")
    func day() throws {
        #expect(
            try ticks("UTC", "2026-11-24T22:00:00Z", "2026-11-25T10:00:00Z", 4) == [
                "2026-11-25T00:00:00Z 25 Nov*", "2026-11-25T03:00:00Z 03:00", "2026-11-25T06:00:00Z 06:00",
                "2026-11-25T09:00:00Z 09:00",
            ]
        )
    }

    @Test("the time axis of a day of 23 hours has no tick at the missing hour")
    func spring() throws {
        #expect(
            try ticks("Europe/Vienna", "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z", 8) == [
                "2026-03-28T23:00:00Z 29 Mar*", "2026-03-29T00:00:00Z 01:00", "2026-03-29T01:00:00Z 03:00",
                "2026-03-29T02:00:00Z 04:00", "2026-03-29T03:00:00Z 05:00", "2026-03-29T04:00:00Z 06:00",
                "2026-03-29T05:00:00Z 07:00",
            ]
        )
        #expect(
            try ticks("Europe/Vienna", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 8) == [
                "2026-03-28T23:00:00Z 29 Mar*", "2026-03-29T01:00:00Z 03:00", "2026-03-29T04:00:00Z 06:00",
                "2026-03-29T07:00:00Z 09:00", "2026-03-29T10:00:00Z 12:00", "2026-03-29T13:00:00Z 15:00",
                "2026-03-29T16:00:00Z 18:00", "2026-03-29T19:00:00Z 21:00",
            ]
        )
    }

    @Test("the time axis of a day of 25 hours has two ticks for the repeated hour")
    func autumn() throws {
        #expect(
            try ticks("Europe/Vienna", "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z", 6) == [
                "2026-10-24T23:00:00Z 01:00", "2026-10-25T00:00:00Z 02:00", "2026-10-25T01:00:00Z 02:00",
                "2026-10-25T02:00:00Z 03:00",
            ]
        )
        #expect(
            try ticks("Europe/Vienna", "2026-10-24T22:00:00Z", "2026-10-25T05:00:00Z", 4) == [
                "2026-10-24T22:00:00Z 25 Oct*", "2026-10-25T00:00:00Z 02:00", "2026-10-25T03:00:00Z 04:00",
            ]
        )
    }

    @Test("the time axis is right in zones with offsets of parts of an hour")
    func oddZones() throws {
        #expect(
            try ticks("Asia/Kathmandu", "2026-11-25T00:00:00Z", "2026-11-25T04:00:00Z", 4) == [
                "2026-11-25T00:15:00Z 06:00", "2026-11-25T01:15:00Z 07:00", "2026-11-25T02:15:00Z 08:00",
                "2026-11-25T03:15:00Z 09:00",
            ]
        )
        #expect(
            try ticks("Australia/Lord_Howe", "2026-04-04T13:30:00Z", "2026-04-04T16:30:00Z", 4) == [
                "2026-04-04T14:00:00Z 01:00", "2026-04-04T15:30:00Z 02:00",
            ]
        )
        // Samoa went from the evening of the 29th to the 31st.
        #expect(
            try ticks("Pacific/Apia", "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z", 3) == [
                "2011-12-29T10:00:00Z 29 Dec", "2011-12-30T10:00:00Z 31 Dec", "2011-12-31T10:00:00Z 1 Jan",
            ]
        )
    }

    @Test("a day on the time axis begins although clocks skip its midnight")
    func midnight() throws {
        #expect(
            try ticks("America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-05T12:00:00Z", 3) == [
                "2018-11-04T03:00:00Z 4 Nov", "2018-11-05T02:00:00Z 5 Nov",
            ]
        )
    }

    @Test("a day that begins at 01:00 has one tick there, that of the day")
    func skippedMidnight() throws {
        #expect(
            try ticks("America/Sao_Paulo", "2018-11-04T00:00:00Z", "2018-11-04T06:00:00Z", 6) == [
                "2018-11-04T00:00:00Z 21:00", "2018-11-04T01:00:00Z 22:00", "2018-11-04T02:00:00Z 23:00",
                "2018-11-04T03:00:00Z 4 Nov*", "2018-11-04T04:00:00Z 02:00", "2018-11-04T05:00:00Z 03:00",
            ]
        )
    }

    @Test(
        "no two ticks have the same time if clocks skip midnight",
        arguments: [
            ("Africa/Cairo", "2026-04-23T20:00:00Z"), ("Asia/Beirut", "2026-03-28T20:00:00Z"),
            ("America/Havana", "2026-03-08T03:00:00Z"), ("America/Sao_Paulo", "2018-11-04T01:00:00Z"),
        ]
    )
    func distinct(name: String, begin: String) throws {
        let begin = try #require(SeriesTime(begin))
        for hours in [3, 4, 6, 12, 24] {
            let window = begin..<begin.advanced(by: .seconds(hours * 3600))
            for maximum in [4, 6, 12, 24] {
                let ticks = TimeScale(zone: try zone(name)).ticks(window, maximum: maximum)
                #expect(Set(ticks.map(\.time)).count == ticks.count)
                #expect(ticks.count { $0.isMajor } == 1 || hours == 24, "\(ticks)")
            }
        }
    }

    static let spans: [(from: String, to: String, maximum: Int, labels: [String])] = [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:10Z", 5, ["1 Jan", "00:00:02", "00:00:04", "00:00:06", "00:00:08"]),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:20:00Z", 5, ["10:00", "10:05", "10:10", "10:15"]),
        ("2026-01-01T00:00:00Z", "2026-01-08T00:00:00Z", 4, ["1 Jan", "3 Jan", "5 Jan", "7 Jan"]),
        // Mondays.
        ("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", 5, ["2 Nov", "9 Nov", "16 Nov", "23 Nov", "30 Nov"]),
        ("2025-10-15T00:00:00Z", "2026-03-20T00:00:00Z", 6, ["Nov", "Dec", "2026", "Feb", "Mar"]),
        ("2020-06-01T00:00:00Z", "2026-06-01T00:00:00Z", 6, ["2021", "2022", "2023", "2024", "2025", "2026"]),
        ("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", 5, ["2000", "4000", "6000", "8000"]),
        ("1969-12-31T23:59:50Z", "1970-01-01T00:00:10Z", 4, ["23:59:50", "23:59:55", "1 Jan", "00:00:05"]),
    ]

    @Test("ticks of the time axis are at round times of any scale", arguments: spans)
    func scales(span: (from: String, to: String, maximum: Int, labels: [String])) throws {
        let window = try #require(SeriesTime(span.from))..<(try #require(SeriesTime(span.to)))
        let ticks = TimeScale(zone: .gmt).ticks(window, maximum: span.maximum)
        #expect(ticks.map(\.label) == span.labels)
        #expect(ticks.allSatisfy { window.contains($0.time) })
    }

    @Test("no time axis has many more ticks than requested")
    func ceiling() throws {
        for exponent in 0..<57 {
            let window = SeriesTime(seconds: -1)..<SeriesTime(microseconds: -1_000_000 + (1 << exponent))
            for maximum in [2, 5, 12] {
                let ticks = TimeScale(zone: try zone("Europe/Vienna")).ticks(window, maximum: maximum)
                #expect(ticks.count <= maximum + 2)
            }
        }
    }

    @Test("times on the time axis are those of the zone's clocks")
    func text() throws {
        let time = try #require(SeriesTime("2026-07-01T12:00:05Z"))
        #expect(TimeScale(zone: try zone("Europe/Vienna")).text(time) == "2026-07-01 14:00:05")
        #expect(TimeScale(zone: .gmt).text(SeriesTime(seconds: -60)) == "1969-12-31 23:59")
    }
}
