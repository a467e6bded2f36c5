import Foundation
import HeliumFoundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Strategies for dates, data and floats")
struct ValueStrategyTests {
    private struct Holder: Codable, Equatable {
        var date: Date
        var other: Date?
        var list: [Date?]?
    }

    private func check(_ both: SideBySide, _ texts: [String]) {
        for text in texts {
            both.expectSame(Date.self, text)
            both.expectSame([Date].self, "[\(text)]")
            both.expectSame([String: Date?].self, "{\"a\":\(text)}")
            both.expectSame(Holder.self, "{\"date\":\(text)}")
            both.expectSame(Holder.self, "{\"date\":\(text),\"other\":\(text),\"list\":[null,\(text)]}")
        }
    }

    private static let others = ["null", "true", "\"\"", "\"x\"", "{}", "[]", "[1]", "1e400"]

    @Test("dates are decoded from seconds since 2001")
    func deferred() {
        check(SideBySide(), ["0", "-1", "1.5", "455000000", "1e300", "-0.0", "1455264007.123456"] + Self.others)
    }

    /// Years before 1 and after 9999, which Foundation takes, are refused.
    @Test("dates are decoded from seconds and milliseconds since 1970")
    func epoch() {
        let seconds = SideBySide { helium, foundation in
            helium.dateDecodingStrategy = .secondsSince1970
            foundation.dateDecodingStrategy = .secondsSince1970
        }
        let milliseconds = SideBySide { helium, foundation in
            helium.dateDecodingStrategy = .millisecondsSince1970
            foundation.dateDecodingStrategy = .millisecondsSince1970
        }
        let texts = [
            "0", "-0", "-1", "1.5", "1455264007", "1455264007.123456", "253402300799", "-62135596800", "1e9", "1.0e-5",
            "1455264007123", "0.1", "123456789.987654321", "9007199254740993e-6", "1455264007.5e0",
        ]
        for both in [seconds, milliseconds] {
            for text in texts {
                let (helium, foundation) = both.outcomes([Date].self, "[\(text)]".utf8)
                if let value = helium.value { #expect(value == foundation.value, "\(text)") }
            }
            check(both, ["0", "-1", "1455264007", "1455264007.25", "null", "true", "{}", "[]", "1e400"])
            #expect(both.outcomes(Date.self, "1e30".utf8).helium.failure?.kind == "dataCorrupted")
        }
        // Unlike Foundation, a number's text counts.
        #expect(seconds.outcomes(Date.self, "\"1455264007\"".utf8).helium.value?.timeIntervalSince1970 == 1_455_264_007)
        #expect(seconds.outcomes(Date.self, "\"x\"".utf8).helium.failure?.kind == "dataCorrupted")
    }

    @Test("ISO 8601 dates are decoded as by Foundation", .tags(.random))
    func iso8601() {
        let both = SideBySide { helium, foundation in
            helium.dateDecodingStrategy = .iso8601
            foundation.dateDecodingStrategy = .iso8601
        }
        check(
            both,
            [
                "\"2016-02-12T08:00:07Z\"", "\"1970-01-01T00:00:00Z\"", "\"2000-02-29T23:59:59Z\"",
                "\"2016-02-12T08:00:07+02:00\"", "\"2016-02-12T08:00:07-11:30\"", "\"1900-01-01T00:00:00Z\"",
                "\"9999-12-31T23:59:59Z\"", "\"1583-01-01T00:00:00Z\"", "null", "{}",
                "true",
                "\"\"", "\"x\"", "\"2016\"", "\"2016-02-12T08:00:07\"", "\"2016-13-12T08:00:07Z\"",

            ]
        )
        var random = ProofLength.random(seed: 1)
        for _ in ProofLength.rounds(200) {
            let date = Date(timeIntervalSince1970: Double(random.below(8_000_000_000)) - 4_000_000_000)
            let text = date.formatted(.iso8601)
            #expect(both.expectSame(Date.self, "\"\(text)\"").value == date)
        }
        for text in ["2016-02-12T08:00:07.5Z", "2016-02-12", "2016-02-12 08:00:07z", "2016-12-31T23:59:60Z"] {
            #expect(both.expectNoOtherValue(Date.self, "\"\(text)\"").value != nil, "\(text)")
        }
        // Foundation makes the next day of an hour that does not exist, and its calendar is Julian before 1582.
        #expect(both.outcomes(Date.self, "\"2016-02-12T25:00:07Z\"".utf8).helium.failure?.kind == "dataCorrupted")
        let first = both.outcomes(Date.self, "\"0001-01-01T00:00:00Z\"".utf8).helium.value
        #expect(first?.timeIntervalSince1970 == -62_135_596_800)
    }

    /// A text whose formatter is a class: it is made for each test.
    @Test("dates are decoded by a formatter")
    func formatted() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd"
        let both = SideBySide { helium, foundation in
            helium.dateDecodingStrategy = .formatted(formatter)
            foundation.dateDecodingStrategy = .formatted(formatter)
        }
        check(both, ["\"2016/02/12\"", "\"2016\\/02\\/12\"", "\"2016-02-12\"", "1"] + Self.others)
    }

    @Test("dates are decoded by a function, which gets the decoder")
    func custom() {
        let both = SideBySide { helium, foundation in
            let read: @Sendable (any Decoder) throws -> Date = { decoder in
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    return Date(timeIntervalSince1970: Double(text.utf8.count) + Double(decoder.codingPath.count))
                }
                if let list = try? container.decode([Date].self) { return list.last ?? .distantPast }
                return Date(timeIntervalSince1970: try container.decode(Double.self))
            }
            helium.dateDecodingStrategy = .custom(read)
            foundation.dateDecodingStrategy = .custom(read)
        }
        check(both, ["1", "\"abc\"", "[1,2]", "[\"a\"]"] + Self.others)
    }

    @Test("dates are RFC 3339 by default, and not numbers")
    func defaults() throws {
        let decoder = HeliumJSONDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: "1455264007") }
        #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: "[0]") }
        let date = Date(timeIntervalSince1970: 1_455_264_007.5)
        for text in ["2016-02-12T08:00:07.5Z", "2016-02-12T10:00:07.500+02:00", "2016\\u002d02-12t08:00:07.5z"] {
            #expect(try decoder.decode(Date.self, from: "\"\(text)\"") == date)
            #expect(try decoder.decode([Date?].self, from: "[null,\"\(text)\"]") == [nil, date])
        }
    }

    @Test(
        "data is decoded from Base64",
        arguments: [
            "\"\"", "\"AA==\"", "\"AAEC\"", "\"AAECAw==\"", "\"AAE\"", "\"A\"", "\"A===\"", "\"AA=A\"", "\"AA==\\n\"",
            "\" AA==\"",
            "\"-_8=\"", "\"+/8=\"", "\"\\u0041A==\"", "\"é\"", "null", "[]", "[1,2,255]", "[256]", "[-1]", "[1.0]",
            "[\"1\"]",
            "[null]", "{}", "1", "true", "\"AAEC\\/w==\"",
        ]
    )
    func data(document: String) {
        let deferred = SideBySide { helium, foundation in
            helium.dataDecodingStrategy = .deferredToData
            foundation.dataDecodingStrategy = .deferredToData
        }
        let custom = SideBySide { helium, foundation in
            let read: @Sendable (any Decoder) throws -> Data = { decoder in
                Data(try String(from: decoder).utf8) + Data("\(decoder.codingPath.count)".utf8)
            }
            helium.dataDecodingStrategy = .custom(read)
            foundation.dataDecodingStrategy = .custom(read)
        }
        for both in [SideBySide(), deferred, custom] {
            both.expectSame(Data.self, document)
            both.expectSame([Data?].self, "[null,\(document)]")
            both.expectSame([String: Data].self, "{\"a\":\(document)}")
        }
    }

    @Test(
        "infinities and NaN are decoded from strings",
        arguments: [
            "\"inf\"", "\"-inf\"", "\"nan\"", "\"Inf\"", "\"\"", "\"1\"", "1", "1e400",
            "null", "true", "[]",
            "{}", "-0.0",
        ]
    )
    func floats(document: String) {
        let strings = SideBySide { helium, foundation in
            helium.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
            foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        func check<Value: BinaryFloatingPoint & Decodable>(_ type: Value.Type) {
            for both in [strings, SideBySide()] {
                let (helium, foundation) = both.outcomes([Value?].self, "[\(document)]".utf8)
                if let value = helium.value?.first??.isNaN, value {
                    #expect(foundation.value?.first??.isNaN == true)
                } else {
                    both.expectSame([Value].self, "[\(document)]")
                    both.expectSame([String: Value?].self, "{\"a\":\(document)}")
                }
            }
        }
        check(Double.self)
        check(Float.self)
        strings.expectSame(Int.self, document)
        strings.expectSame(Decimal.self, document)
        if document != "\"nan\"" { strings.expectSame(Date.self, document) }
    }

    @Test("the name of an infinity or of NaN is no date in seconds or milliseconds", arguments: ["inf", "-inf", "nan"])
    func infiniteDates(name: String) {
        var decoder = HeliumJSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        for strategy in [HeliumJSONDecoder.DateDecodingStrategy.secondsSince1970, .millisecondsSince1970] {
            decoder.dateDecodingStrategy = strategy
            #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[\"\(name)\"]".utf8)) }
        }
    }
}
