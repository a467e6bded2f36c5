import Cosm
import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Timestamps of the Cosm client")
struct TimestampTests {
    @Test(
        "every documented form of a timestamp is parsed",
        arguments: [
            ("2013-01-04T10:22:40.111636Z", "2013-01-04T10:22:40.111636Z"),
            ("2010-05-20T11:01:43Z", "2010-05-20T11:01:43.000000Z"),
            ("2010-05-20T11:01:43", "2010-05-20T11:01:43.000000Z"),
            ("2010-05-20T11:01:43.5", "2010-05-20T11:01:43.500000Z"),
            ("2010-05-20T11:01:43.123456789Z", "2010-05-20T11:01:43.123456Z"),
            ("2010-05-20T11:01:43+02:00", "2010-05-20T09:01:43.000000Z"),
            ("2010-05-20T11:01:43-0530", "2010-05-20T16:31:43.000000Z"),
            ("2010-05-20T11:01:43-06", "2010-05-20T17:01:43.000000Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ]
    )
    func forms(text: String, written: String) throws {
        let stamp = try #require(Timestamp(text))
        #expect(stamp.description == written)
        #expect(Timestamp(stamp.description) == stamp)
    }

    @Test(
        "any other text is no timestamp",
        arguments: [
            "", "soon", "2013-01-04", "2013-01-04 10:22:40Z", "2013-13-04T10:22:40Z", "2013-02-29T10:22:40Z",
            "2013-01-04T24:22:40Z", "2013-01-04T10:22Z", "2013-01-04T10:22:40.Z", "2013-01-04T10:22:40.1234567890Z",
            "2013-01-04T10:22:40 Z", "2013-01-04T10:22:40+1", "20130104T102240Z", "1357294960",
        ]
    )
    func none(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("random timestamps are equal after printing and parsing", .tags(.random))
    func roundTrip() throws {
        var random = ProofLength.random(seed: 41)
        for _ in ProofLength.rounds(1000) {
            let span: UInt64 = 253_402_300_799_999_999 + 62_135_596_800_000_000
            let stamp = Timestamp(microseconds: Int64(random.next() % span) - 62_135_596_800_000_000)
            #expect(Timestamp(stamp.description) == stamp)
            #expect(stamp.description.utf8.count == 27)
        }
    }

    @Test("a date of the present keeps its microseconds")
    func dates() {
        var random = SeededRandom(seed: 42)
        for _ in 0..<1000 {
            let stamp = Timestamp(
                microseconds: Int64(random.below(4_000_000_000)) * 1_000_000 + Int64(random.below(1_000_000))
            )
            #expect(Timestamp(stamp.date) == stamp)
        }
        #expect(Timestamp(Date.distantFuture).microseconds > 0)
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)).description.hasPrefix("9999"))
    }

    @Test("a date beyond the years of a timestamp becomes the nearest one")
    func clamped() {
        #expect(Timestamp(microseconds: .max).description == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: .min).description == "0001-01-01T00:00:00.000000Z")
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.max)) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.min)) == Timestamp(microseconds: .min))
        #expect(Timestamp(microseconds: 5).advanced(by: .microseconds(-7)).microseconds == -2)
    }

    @Test("a JSON number, null or an empty text is no timestamp")
    func json() throws {
        for text in ["5", "null", #""""#, "true", "{}"] {
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Timestamp.self, from: text) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Timestamp.self, from: Data(text.utf8)) }
        }
        let escaped = #""2013-01-04T10:22:40\u005a""#
        #expect(try HeliumJSONDecoder().decode(Timestamp.self, from: escaped).microseconds == 1_357_294_960_000_000)
    }
}
