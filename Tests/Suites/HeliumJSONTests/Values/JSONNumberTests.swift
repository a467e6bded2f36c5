import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("JSON numbers") struct JSONNumberTests {
    @Test(
        "JSON numbers are equal, and hash equally, if their decimal values are",
        arguments: [
            ["0", "-0", "0.0", "-0e5", "0e-9", "0E+99999999999999999999", "0.000"],
            [
                "1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "0.01e2", "1.000000000000000000000000", "1e-0",
                "1e00000000000000000000000",
            ],
            ["-12.5", "-125e-1", "-0.125e2", "-12.50"],
            ["9223372036854775807", "9223372036854775807.0", "9.223372036854775807e18", "92233720368547758070e-1"],
            ["-9223372036854775808", "-9223372036854775808.0", "-9.223372036854775808e+18"],
            ["9223372036854775808", "9.223372036854775808e18"],
            ["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
            ["1e400", "10e399", "0.1e401", "1" + String(repeating: "0", count: 400)],
            ["1e-400", "0.1e-399", "0." + String(repeating: "0", count: 399) + "1"],
            ["1e999999999", "10e999999998", "1.0e999999999"],
            ["1e1000000000000000000000000000000", "1e1000000000000000000000000000000"],
            ["100", "1e2", "100.00", "0.1e3"],
        ]
    )
    func equality(texts: [String]) throws {
        let numbers = try texts.map { try #require(JSONNumber($0)) }
        for left in numbers {
            for right in numbers {
                #expect(left == right)
                #expect(left.hashValue == right.hashValue, "\(left) \(right)")
            }
        }
        #expect(Set(numbers).count == 1)
    }

    @Test("JSON numbers differ if their decimal values do")
    func differIfTheirDecimalValuesDo() throws {
        let texts = [
            "0", "1", "-1", "10", "0.1", "1.1", "11", "101", "1.01", "10.1", "9007199254740992", "9007199254740993",
            "9007199254740993.5", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e400",
            "1e401", "-1e400", "1e-400", "1e999999999", "1e999999998", "12e999999998", "0.1234567890123456789",
            "0.12345678901234567891", "1e1000000000000000000000000000000", "1e1000000000000000000000000000001",
        ]
        let numbers = try texts.map { try #require(JSONNumber($0)) }
        for (index, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() {
                #expect((left == right) == (index == other), "\(left) \(right)")
            }
        }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test(
        "JSON numbers keep their text byte for byte",
        arguments: [
            "0", "-0", "-0.0", "1.0", "1e400", "1E+2", "1e-007", "123456789012345678901234567890",
            "-9223372036854775808", "9223372036854775807", "9223372036854775808", "999999999999999999",
            "1000000000000000000", "-999999999999999999", "0.10", "3.141592653589793238462643383279502884197",
        ]
    )
    func lossless(text: String) throws {
        #expect(JSONNumber(text)?.description == text)
        #expect(try JSONValue(parsing: "[\(text)]").text() == "[\(text)]")
        #expect(try HeliumJSONDecoder().decode(JSONNumber.self, from: text).description == text)
    }

    @Test(
        "JSON numbers accept JSON's grammar only",
        arguments: [
            "", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "0x10", "NaN", "Infinity", " 1", "1 ", "1,", "１",
            "1_000",
            "--1", "1.e5", "1e1.5", "\u{0}1", "1\u{0}", "é",
        ]
    )
    func grammar(text: String) { #expect(JSONNumber(text) == nil) }

    @Test("JSON numbers convert to integers exactly or not at all")
    func convertToIntegersExactlyOrNotAtAll() throws {
        func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }
        #expect(try Int64(exactly: number("-9223372036854775808.0")) == .min)
        #expect(try Int64(exactly: number("9223372036854775808")) == nil)
        #expect(try UInt64(exactly: number("18446744073709551615")) == .max)
        #expect(try UInt64(exactly: number("1844674407370955161.5e1")) == .max)
        #expect(try UInt64(exactly: number("18446744073709551616")) == nil)
        #expect(try UInt64(exactly: number("-1")) == nil)
        #expect(try UInt64(exactly: number("-0")) == 0)
        #expect(try Int128(exactly: number("-170141183460469231731687303715884105728")) == .min)
        #expect(try Int128(exactly: number("170141183460469231731687303715884105728")) == nil)
        #expect(try UInt128(exactly: number("340282366920938463463374607431768211455")) == .max)
        #expect(try Int8(exactly: number("1.27e2")) == 127)
        #expect(try Int8(exactly: number("-128.000")) == -128)
        #expect(try Int8(exactly: number("128")) == nil)
        #expect(try UInt8(exactly: number("25600e-2")) == nil)
        #expect(try Int(exactly: number("1.5")) == nil)
        #expect(try Int(exactly: number("9007199254740993.0")) == 9_007_199_254_740_993)
        #expect(try Int(exactly: number("1e999999999")) == nil)
        #expect(try Int(exactly: number("1e-999999999")) == nil)
    }

    @Test("JSON numbers convert to the nearest Double")
    func convertToTheNearestDouble() throws {
        func double(_ text: String) throws -> Double? { try #require(JSONNumber(text)).doubleValue }
        #expect(try double("0.1") == 0.1)
        #expect(try double("9007199254740993") == 9_007_199_254_740_992)
        #expect(try double("123456789012345678901234567890") == 1.2345678901234568e29)
        #expect(try double("1.7976931348623157e308") == .greatestFiniteMagnitude)
        #expect(try double("-1e400") == nil)
        #expect(try double("1e-400") == 0)
        #expect(try double("-0.0")?.sign == .minus)
    }

    @Test("JSON numbers convert to Decimal exactly or not at all")
    func convertToDecimalExactlyOrNotAtAll() throws {
        func decimal(_ text: String) throws -> Decimal? { try #require(JSONNumber(text)).decimalValue }
        #expect(try decimal("-0.1") == Decimal(sign: .minus, exponent: -1, significand: 1))
        #expect(try decimal("0.00") == 0)
        #expect(
            try decimal("12345678901234567890123456789.0123456789")?.description
                == "12345678901234567890123456789.0123456789"
        )
        #expect(
            try decimal("340282366920938463463374607431768211455")?.description
                == "340282366920938463463374607431768211455"
        )
        #expect(try decimal("340282366920938463463374607431768211456") == nil)
        #expect(try decimal("1e165")?.description == "1" + String(repeating: "0", count: 165))
        #expect(try decimal("1e166") == nil)
        #expect(try decimal("1e-128") == Decimal(sign: .plus, exponent: -128, significand: 1))
        #expect(try decimal("1e-129") == nil)
    }

    @Test("JSON numbers are made from Swift's numbers")
    func areMadeFromSwiftsNumbers() throws {
        #expect(JSONNumber(UInt64.max).description == "18446744073709551615")
        #expect(JSONNumber(Int128.min).description == "-170141183460469231731687303715884105728")
        #expect(JSONNumber(Int8(-7)) == -7)
        #expect(JSONNumber(0.1 as Double)?.description == "0.1")
        #expect(JSONNumber(0.1 as Float)?.description == "0.1")
        #expect(JSONNumber(1e300 as Double) == JSONNumber("1e300"))
        for value in [Double.nan, .infinity, -.infinity] { #expect(JSONNumber(value) == nil) }
        for value in [Float.nan, .infinity, -.infinity] { #expect(JSONNumber(value) == nil) }
        #expect(JSONNumber(Decimal.nan) == nil)
        #expect(JSONNumber(Decimal(string: "1e100") ?? 0) == JSONNumber("1e100"))
        #expect(JSONNumber(floatLiteral: -.infinity).doubleValue == -Double.greatestFiniteMagnitude)
        let literal: JSONNumber = 123_456_789_012_345_678_901_234_567_890
        #expect(literal.description == "123456789012345678901234567890")
    }

    @Test("every Double is equal after conversion to a JSON number and back", .tags(.random))
    func everyDoubleComesBack() {
        var random = ProofLength.random(seed: 7)
        for _ in ProofLength.rounds(2000) {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(JSONNumber(value)?.doubleValue?.bitPattern == value.bitPattern)
        }
    }
}
