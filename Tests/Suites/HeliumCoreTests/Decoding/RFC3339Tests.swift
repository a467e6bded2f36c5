import Foundation
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@Suite("RFC 3339 dates")
struct RFC3339Tests {
    private func instant(_ text: String, assumingUTC: Bool = false) -> RFC3339.Instant? {
        var text = text
        return text.withUTF8 { RFC3339.instant(in: $0, assumingUTC: assumingUTC) }
    }

    @Test(
        "a date of RFC 3339 is parsed with any fraction and offset",
        arguments: [
            ("2016-02-12T08:00:07Z", 1_455_264_007, 0),
            ("2016-02-12T08:00:07.1Z", 1_455_264_007, 100_000_000),
            ("2016-02-12T08:00:07.123456789Z", 1_455_264_007, 123_456_789),
            ("2016-02-12T08:00:07.12345678999999999999999999999999Z", 1_455_264_007, 123_456_789),
            ("2016-02-12T10:00:07+02:00", 1_455_264_007, 0),
            ("2016-02-12T10:00:07+0200", 1_455_264_007, 0),
            ("2016-02-12T10:00:07+02", 1_455_264_007, 0),
            ("2016-02-12T02:30:07.5-05:30", 1_455_264_007, 500_000_000),
            ("2016-02-12T08:00:07-00:00", 1_455_264_007, 0),
            ("2016-02-12t08:00:07z", 1_455_264_007, 0),
            ("2016-02-12 08:00:07Z", 1_455_264_007, 0),
            ("2016-02-12", 1_455_235_200, 0),
            ("1970-01-01T00:00:00Z", 0, 0),
            ("1969-12-31T23:59:59.25Z", -1, 250_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400, 0),
            ("1582-10-10", -12_219_724_800, 0),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799, 999_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("2017-01-01T00:59:60.9+01:00", 1_483_228_800, 0),
            ("1958-12-31T23:59:60Z", -347_155_200, 0),
        ] as [(String, Int64, Int)]
    )
    func read(text: String, seconds: Int64, nanoseconds: Int) {
        #expect(instant(text) == RFC3339.Instant(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "an invalid date of RFC 3339 is refused",
        arguments: [
            "", "2", "2016", "2016-02", "2016-2-1", "16-02-12", "02016-02-12", "2016-00-01", "2016-13-01", "2016-01-00",
            "2016-01-32", "2016-02-30", "2015-02-29", "1900-02-29", "0000-01-01", "2016-04-31", "-2016-01-01",
            "2016-02-12T", "2016-02-12T08", "2016-02-12T08:00", "2016-02-12T08:00Z", "2016-02-12T08:00:07",
            "2016-02-12T08:00:07.Z", "2016-02-12T08:00:07,5Z", "2016-02-12T24:00:00Z", "2016-02-12T08:60:00Z",
            "2016-02-12T08:00:61Z", "2016-02-12T08:00:60Z", "2016-12-31T23:59:60+01:00", "2016-02-12T08:00:07ZZ",
            "2016-02-12T08:00:07Z ", " 2016-02-12T08:00:07Z", "2016-02-12T08:00:07+24:00", "2016-02-12T08:00:07+02:60",
            "2016-02-12T08:00:07+2", "2016-02-12T08:00:07+02:", "2016-02-12T08:00:07+02:0",
            "2016-02-12T08:00:07 +02:00",
            "2016-02-12x08:00:07Z", "2016-02-12T08:00:07+", "２016-02-12", "2016/02/12", "20160212", "2016-02-12Z",
        ]
    )
    func refused(text: String) {
        #expect(instant(text) == nil)
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test("a date without an offset is UTC only if the rule says so")
    func assumed() {
        #expect(instant("2016-02-12T08:00:07.5") == nil)
        let assumed = instant("2016-02-12T08:00:07.5", assumingUTC: true)
        #expect(assumed == RFC3339.Instant(seconds: 1_455_264_007, nanoseconds: 500_000_000))
        #expect(instant("2016-02-12T10:00:07+02:00", assumingUTC: true)?.seconds == 1_455_264_007)
        #expect(instant("2016-02-12T08:00:07+", assumingUTC: true) == nil)
    }

    @Test("days of RFC 3339 dates agree with Foundation's calendar")
    func days() throws {
        let style = Date.ISO8601FormatStyle()
        var failures = 0
        // The stride shares no divisor with a 400-year cycle, so that it comes by every day of one; Foundation is asked
        // from 1600 on, since its calendar is Julian before 1582.
        var previous = ""
        for day in stride(from: Int64(-719_162), through: 2_932_896, by: 17) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 86_399)
            let text = RFC3339.string(from: date)
            if RFC3339.date(from: text) != date || text <= previous { failures += 1 }
            if day % 61 == 0, day > -135_000, style.format(date) != text.replacing(".000", with: "") { failures += 1 }
            previous = text
        }
        #expect(failures == 0)
    }

    @Test(
        "a date is printed in UTC with milliseconds, rounded to the nearest",
        arguments: [
            (1_455_264_007, "2016-02-12T08:00:07.000Z"), (1_455_264_007.123, "2016-02-12T08:00:07.123Z"),
            (1_455_264_007.9996, "2016-02-12T08:00:08.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
            (0, "1970-01-01T00:00:00.000Z"), (1e300, "9999-12-31T23:59:59.999Z"), (-1e300, "0001-01-01T00:00:00.000Z"),
            (.infinity, "9999-12-31T23:59:59.999Z"), (.nan, "0001-01-01T00:00:00.000Z"),
            (253_402_300_799.9996, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)]
    )
    func written(seconds: Double, text: String) {
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test("milliseconds of a date are equal after printing and parsing", .tags(.random))
    func roundTrip() {
        var random = ProofLength.random(seed: 7)
        for _ in ProofLength.rounds(2000) {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
            let text = RFC3339.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
            let back = instant(text).map { $0.seconds * 1000 + Int64($0.nanoseconds / 1_000_000) }
            guard back == milliseconds else {
                Issue.record("\(milliseconds) became \(text)")
                return
            }
        }
    }

    @Test("a date that is not finite cannot be encoded")
    func unencodable() {
        #expect(throws: EncodingError.self) {
            try FoundationJSONEncoder().encode([Date(timeIntervalSince1970: .infinity)])
        }
    }
}
