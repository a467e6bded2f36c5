import Foundation
import HeliumJSON
import Testing

@Suite("Integers and decimals")
struct IntegerTests {
    private let both = SideBySide()

    private func check<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) {
        for value in [Value.min, .max, 0, 1, Value.max / 10, Value.max - 1, Value.min + 1] {
            #expect(both.expectSame(type, "\(value)").value == value)
            // Of these Foundation refuses some beyond 2^53.
            for text in ["\(value).0", "\(value)e0", "\(value).000e+00", "\(value).0e-0"] {
                #expect(both.expectNoOtherValue(type, text).value == value, "\(text)")
            }
        }
        #expect(both.expectNoOtherValue(type, "\(Value.max / 100)e2").value == Value.max / 100 * 100)
        // One more than the largest, one less than the smallest, and ten times as much.
        for text in [next(after: "\(Value.max)"), "\(Value.max)0", "\(Value.max).5", "\(Value.max)e1"] {
            #expect(both.expectSame(type, text).failure?.kind == "dataCorrupted", "\(text)")
        }
        let less = Value.isSigned ? "-" + next(after: "\(Value.min.magnitude)") : "-1"
        for text in [less, "-\(Value.max)0"] {
            #expect(both.expectSame(type, text).failure?.kind == "dataCorrupted", "\(text)")
        }
        for text in ["1.5", "0.1", "-0.5", "1e-1", "1e40", "1e400"] {
            #expect(both.expectSame(type, text).failure?.kind == "dataCorrupted", "\(text)")
        }
        // Foundation rounds these first.
        for text in ["1e-400", "0.99999999999999999999", "1.00000000000000000000000001", "1e-99999999999999999999"] {
            #expect(both.outcomes(type, text.utf8).helium.failure?.kind == "dataCorrupted", "\(text)")
        }
        for text in ["0", "-0", "0.0", "-0.0", "0e10", "-0e-10", "0.000e400", "1e2", "1E+2", "100e-2", "1.20e1", "127"]
        {
            both.expectSame(type, text)
        }
        for text in ["null", "true", "false", "\"1\"", "[]", "{}", "[1]"] { both.expectSame(type, text) }
    }

    /// A decimal number and one.
    private func next(after text: String) -> String {
        var digits = Array(text.utf8)
        var index = digits.count - 1
        while index >= 0, digits[index] == 57 {
            digits[index] = 48
            index -= 1
        }
        if index < 0 { digits.insert(49, at: 0) } else { digits[index] += 1 }
        return String(decoding: digits, as: UTF8.self)
    }

    @Test("each integer type decodes its whole range and no more")
    func limits() {
        check(Int.self)
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(Int64.self)
        check(UInt.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
    }

    @Test("integers of 128 bits are decoded exactly")
    func large() throws {
        let decoder = HeliumJSONDecoder()
        for value in [Int128.min, .max, 0, -1, Int128(Int64.max) + 1, Int128(UInt64.max) + 1, 9_007_199_254_740_993] {
            #expect(try decoder.decode(Int128.self, from: "\(value)") == value)
            #expect(both.expectSame(Int128.self, "\(value)").value == value)
        }
        for value in [UInt128.max, 0, UInt128(UInt64.max), UInt128(UInt64.max) + 1] {
            #expect(try decoder.decode(UInt128.self, from: "\(value)") == value)
            both.expectSame(UInt128.self, "\(value)")
        }
        for text in ["-1", "340282366920938463463374607431768211456", "1.5", "1e39"] {
            both.expectSame(UInt128.self, text)
        }
        for text in ["170141183460469231731687303715884105728", "-170141183460469231731687303715884105729"] {
            both.expectSame(Int128.self, text)
        }
        both.expectSame([Int128].self, "[1, -1, 1e3, 1.0]")
    }

    @Test(
        "whole numbers with a point or an exponent are integers, and others not",
        arguments: [
            ("9007199254740993.0", "9007199254740993"), ("9007199254740993e0", "9007199254740993"),
            ("-9007199254740993.00", "-9007199254740993"), ("-9223372036854775808.0", "-9223372036854775808"),
            ("9223372036854775808.0", "9223372036854775808"), ("922337203685477580.7e1", "9223372036854775807"),
            ("18446744073709551615.0", "18446744073709551615"), ("1844674407370955161.5e1", "18446744073709551615"),
            ("18446744073709551616.0", "18446744073709551616"), ("1.8446744073709551615e19", "18446744073709551615"),
            ("9007199254740993.5", nil), ("9007199254740992.5", nil), ("4503599627370497.5", nil),
            ("9007199254740993.00000000000000000001", nil), ("1.0000000000000000000000001", nil),
            ("1e18", "1" + zeros(18)),
            ("1e19", "1" + zeros(19)), ("12e17", "12" + zeros(17)), ("0.00012e21", "12" + zeros(16)),
            ("100000000000000000000e-3", "1" + zeros(17)), ("123456789012345678e1", "1234567890123456780"),
            ("1" + zeros(30) + "e-30", "1"), ("0." + zeros(30) + "1e31", "1"), ("-0." + zeros(300) + "12e302", "-12"),
            ("1e1" + zeros(30), nil), ("0e1" + zeros(30), "0"), ("0.0e-1" + zeros(30), "0"), ("1e-1" + zeros(30), nil),
            ("0.10", nil), ("0.10e1", "1"), ("10e-1", "1"), ("10e-2", nil),
            ("1e000000000000000000000000000000002", "100"),
        ] as [(String, String?)]
    )
    func wholeDecimals(text: String, whole: String?) {
        #expect(both.expectNoOtherValue(Int.self, text).value == whole.flatMap(Int.init))
        #expect(both.expectNoOtherValue(UInt64.self, text).value == whole.flatMap(UInt64.init))
        #expect(both.expectNoOtherValue(Int8.self, text).value == whole.flatMap(Int8.init))
        #expect(both.expectNoOtherValue(Int128.self, text).value == whole.flatMap(Int128.init))
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    @Test(
        "decimals are decoded as by Foundation",
        arguments: [
            "0", "-0", "1", "-1", "0.1", "-0.1", "0.30", "1e2", "1.5e-3", "1E10", "12345678901234567890",
            "123456789012345678901234567890", "12345678901234567890123456789012345678",
            "99999999999999999999999999999999999999", "340282366920938463463374607431768211455",
            "0.000000000000000000001",
            "123456789.123456789", "3.14159265358979323846264338327950288419", "1e127", "1e-127", "1e-128", "1e128",
            "9.99e127", "1e100", "-1e-100", "100.00", "1.0", "1e1", "0.0", "0e5", "1e0",
            "184467440737095516159999999", "0.12345678901234567890123456789012345678",
        ]
    )
    func decimals(text: String) {
        both.expectSame(Decimal.self, text)
        both.expectSame([String: Decimal].self, "{\"a\":\(text)}")
    }

    @Test(
        "decimals with too many digits, or out of range, are decoded as by Foundation",
        arguments: [
            "123456789012345678901234567890123456789", "340282366920938463463374607431768211456",
            "0.123456789012345678901234567890123456789", "3.14159265358979323846264338327950288419716939937510",
            "1000000000000000000000000000000000000000000000000", "1e200", "1e400", "1e-200", "1e-400",
            "1e99999999999999999999",
            "1e-99999999999999999999", "999999999999999999999999999999999999999999", "1e165", "1e166", "123e163",
            "-1e300",
            "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        ]
    )
    func largeDecimals(text: String) {
        both.expectSame(Decimal.self, text)
    }

    @Test("a value that is not a number is no decimal", arguments: ["null", "\"1\"", "true", "[]", "{}"])
    func noDecimals(text: String) {
        both.expectSame(Decimal.self, text)
        both.expectSame([Decimal].self, "[\(text)]")
    }

    @Test(
        "large integers are decoded as doubles",
        arguments: ["18446744073709551616", "-99999999999999999999", "1" + String(repeating: "0", count: 200)]
    )
    func doubles(text: String) {
        both.expectSame(Double.self, text)
        #expect(both.expectSame(Int.self, text).failure?.kind == "dataCorrupted")
    }
}
