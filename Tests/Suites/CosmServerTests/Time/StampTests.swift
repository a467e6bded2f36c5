import HeliumServer
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Timestamps of Cosm")
struct StampTests {
    @Test(
        "a timestamp is read with any zone and one to nine digits of fraction",
        arguments: [
            ("2013-01-04T10:22:40.111636Z", "2013-01-04T10:22:40.111636Z"),
            ("2013-01-04T10:22:40Z", "2013-01-04T10:22:40.000000Z"),
            ("2013-01-04T10:22:40", "2013-01-04T10:22:40.000000Z"),
            ("2013-01-04T10:22:40.1Z", "2013-01-04T10:22:40.100000Z"),
            ("2013-01-04T10:22:40.123456789Z", "2013-01-04T10:22:40.123456Z"),
            ("2013-01-04T10:22:40-06", "2013-01-04T16:22:40.000000Z"),
            ("2013-01-04T10:22:40+0530", "2013-01-04T04:52:40.000000Z"),
            ("2013-01-04T10:22:40.5+05:30", "2013-01-04T04:52:40.500000Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
            ("2012-02-29T00:00:00Z", "2012-02-29T00:00:00.000000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ]
    )
    func reads(_ text: String, _ written: String) throws {
        #expect(try #require(ServerInstant(text)).text() == written)
    }

    @Test(
        "a timestamp in any other form is invalid",
        arguments: [
            "", "now", "2013-01-04", "2013-01-04 10:22:40Z", "2013-01-04T10:22Z", "2013-13-04T10:22:40Z",
            "2013-02-29T10:22:40Z", "2013-01-04T24:00:00Z", "2013-01-04T10:60:40Z", "2013-01-04T10:22:60Z",
            "2013-01-04T10:22:40.Z", "2013-01-04T10:22:40.1234567890Z", "2013-01-04T10:22:40+5",
            "2013-01-04T10:22:40+05:3", "2013-01-04T10:22:40Zx", "0000-01-01T00:00:00Z", "2013-1-4T10:22:40Z",
            "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2013-01-04T10:22:40+24:00",
        ]
    )
    func refuses(_ text: String) { #expect(ServerInstant(text) == nil) }

    @Test("a written timestamp is read as the same instant")
    func roundTrip() {
        var random = SeededRandom(seed: 5)
        let span = UInt64(ServerInstant.latest.microseconds - ServerInstant.earliest.microseconds)
        for _ in 0..<2_000 {
            let offset = Int64(random.next() % span)
            let instant = ServerInstant(microseconds: ServerInstant.earliest.microseconds + offset)
            #expect(ServerInstant(instant.text()) == instant)
        }
    }

    @Test(
        "a timestamp is written in the requested zone",
        arguments: [
            ("+3.5", "2013-07-04T13:52:40.000000+03:30"), (" 3.5", "2013-07-04T13:52:40.000000+03:30"),
            ("-2", "2013-07-04T08:22:40.000000-02:00"), ("0", "2013-07-04T10:22:40.000000Z"),
            ("nonsense", "2013-07-04T10:22:40.000000Z"), ("nan", "2013-07-04T10:22:40.000000Z"),
            ("99", "2013-07-04T10:22:40.000000Z"), ("Adelaide", "2013-07-04T19:52:40.000000+09:30"),
            ("London", "2013-07-04T11:22:40.000000+01:00"),
        ]
    )
    func zones(_ parameter: String, _ written: String) {
        let instant = stamp("2013-07-04T10:22:40Z")
        let text = instant.text(OutputZone(parameter: parameter))
        #expect(text == written)
        #expect(ServerInstant(text) == instant)
    }

    @Test(
        "months and years of a duration are those of the calendar",
        arguments: [
            ("2013-01-31T12:00:00Z", 1, "2013-02-28T12:00:00.000000Z"),
            ("2012-01-31T12:00:00Z", 1, "2012-02-29T12:00:00.000000Z"),
            ("2013-03-31T12:00:00Z", -1, "2013-02-28T12:00:00.000000Z"),
            ("2012-02-29T00:00:00Z", 12, "2013-02-28T00:00:00.000000Z"),
            ("2013-12-15T00:00:00.5Z", 2, "2014-02-15T00:00:00.500000Z"),
            ("9999-12-15T00:00:00Z", 1, "9999-12-31T23:59:59.999999Z"),
            ("2013-12-15T00:00:00Z", -999_999_999, "0001-01-01T00:00:00.000000Z"),
        ]
    )
    func months(_ start: String, _ months: Int, _ end: String) {
        #expect(stamp(start).adding(months: months).text() == end)
    }
}
