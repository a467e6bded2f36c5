import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Numbers")
struct NumberTests {
    /// Cases where a reader that rounds more than once, or too early, goes wrong.
    static let hard = [
        "0", "-0", "0.0", "-0.0", "0e5", "-0e-5", "0.000e999", "0e99999", "-0.0e-99999", "1", "-1", "10", "1e0", "1E0",
        "1e+0", "1e-0", "0.1", "0.2", "0.3", "0.30000000000000004", "0.1e1", "100e-2", "1e1", "1e10", "1e15", "1e16",
        // The borders of the exact powers of ten and of 53 bits.
        "1e22", "1e23", "1e-22", "1e-23", "9007199254740991", "9007199254740992", "9007199254740993",
        "9007199254740994", "9007199254740995", "9007199254740996", "9007199254740993.0", "9007199254740992.5",
        "9007199254740993.00000000000000000001", "9007199254740992.99999999999999999999", "9007199254740991e22",
        "9007199254740992e22", "9007199254740993e22", "9007199254740993e-22", "9007199254740992e-22",
        "4503599627370496.5",
        "4503599627370497.5", "4503599627370496.500000000000001", "4503599627370496.499999999999999",
        // The borders of 64 and 128 bits, and of 18 to 20 digits.
        "999999999999999999", "-999999999999999999", "1000000000000000000", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9999999999999999999",
        "10000000000000000000", "18446744073709551615", "18446744073709551616", "18446744073709551617",
        "18446744073709549568", "18446744073709550591", "18446744073709550592", "99999999999999999999",
        "18446744073709551615e19", "18446744073709551615e20", "18446744073709551615e-19", "18446744073709551615e-20",
        "1e19", "1e20", "1e-19", "1e-20", "9999999999999999999e19", "9999999999999999999e-19", "1234567890123456789e19",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456", "1e38", "1e39",
        // Halfway between two doubles, a little less, a little more.
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375", "9007199254740993e0", "9007199254740995e0",
        "2.2204460492503131e-16", "7.2057594037927933e16", "8.5e22", "5e-324", "123456789.123456789e-10",
        "3.518437208883201171875e13", "62.5364939768271845828", "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "0.500000000000000166533453693773481063544750213623046875",
        "0.50000000000000016653345369377348106354475021362304687499999999999999",
        "6929495644600919.5", "3.7455744005952583e15", "6929495644600920e-4", "7e-10", "1.7e0", "3.9e-5",
        "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        // The largest and smallest.
        "1.7976931348623157e308", "1.7976931348623158e308", "1.797693134862315807e308",
        "-1.7976931348623157e308", "1.7976931348623157e+308", "17976931348623157e292", "179769313486231570e291",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308", "2.225073858507201e-308",
        "2.2250738585072009e-308", "4.9406564584124654e-324", "4.9e-324", "3e-324", "2.5e-324",
        "2.4703282292062328e-324", "1e-323", "1.5e-323", "9.881312916824931e-324",
        "3.4028234663852886e38", "3.4028235677973366e38", "3.4028234e38", "1.17549435e-38", "1.1754943508222875e-38",
        "1.401298464324817e-45", "7.006492321624085e-46", "7.006492321624086e-46", "1e-45", "16777215", "16777216",
        "16777217", "16777218", "16777219", "16777217.000000000000000000000001", "33554431", "33554433", "33554435",
        "1.00000005960464477539062", "1.000000059604644775390625", "1.00000005960464477539063", "8388608.5",
        "8388609.5", "8388608.50000000000000001",
        // Long texts.
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808",
        "0." + String(repeating: "0", count: 300) + "1", "1" + String(repeating: "0", count: 300),
        "1" + String(repeating: "0", count: 300) + "e-300", "0." + String(repeating: "0", count: 300) + "1e301",
        "1." + String(repeating: "0", count: 1000), "1." + String(repeating: "0", count: 1000) + "1",
        "1.5" + String(repeating: "0", count: 100) + "e3", "123" + String(repeating: "0", count: 17) + ".0",
        "9007199254740993." + String(repeating: "0", count: 50) + "1", String(repeating: "9", count: 308),
        "1e00000000000000000000001", "1e-00000000000000000000001", "1e0001", "1e0000", "1e-0001", "100e00001",
        "0.00000000000000000000000000000000000000000000000000e400", "0.5e-0",
        "1" + String(repeating: "0", count: 400) + "e-400", "0." + String(repeating: "0", count: 400) + "1e400",
    ]

    @Test("hard numbers are rounded as by the standard library", arguments: hard)
    func hardCases(text: String) throws {
        for text in [text, text.hasPrefix("-") ? String(text.dropFirst()) : "-\(text)"] {
            let double = try #require(Double(text))
            #expect(double.isFinite)
            #expect(try decode(Double.self, text).bitPattern == double.bitPattern)
            let float = try #require(Float(text))
            let fits = float.isFinite && (float != 0 || double == 0)
            #expect((try? decode(Float.self, text))?.bitPattern == (fits ? float.bitPattern : nil))
        }
    }

    @Test(
        "a number beyond a type's largest is an error, as in Foundation",
        arguments: [
            "1e309", "-1e309", "1e400", "1e9999", "1e99999", "1e99999999999999999999", "1.7976931348623159e308",
            "1" + String(repeating: "0", count: 309), "0.1e310", "17976931348623159e292",
        ]
    )
    func overflow(text: String) {
        let both = SideBySide()
        #expect(both.expectSame(Double.self, text).failure?.kind == "dataCorrupted")
        #expect(both.expectSame([Double].self, "[\(text)]").failure?.path == ["Index 0#0"])
        #expect(both.expectSame(Float.self, text).failure?.kind == "dataCorrupted")
        both.expectSame(Int.self, text)
        #expect(both.expectSame(Float.self, "3.5e38").failure?.kind == "dataCorrupted")
        both.expectSame(Float.self, "3.4028235677973366e38")
        both.expectSame(Float.self, "3.4028235677973365e38")
    }

    @Test(
        "a number below a type's smallest is handled as by Foundation",
        arguments: [
            "1e-324", "2.4703282292062327e-324", "2.4703282292062327208299634000e-324", "2.4703282292062328e-324",
            "1e-400", "-1e-400", "1e-9999", "1e-46",
            "1e-99999999999999999999", "123.456e-789", "1e-310", "2e-45", "7.006492321624085e-46", "-1e-60",
        ]
    )
    func underflow(text: String) {
        let both = SideBySide()
        both.expectSame(Double.self, text)
        both.expectSame(Float.self, text)
    }

    /// Foundation considers these numbers too small.
    @Test(
        "zeros with an exponent are zero",
        arguments: ["0e1", "0E-5", "0.0e400", "-0.000e-400", "0e99999999999999999999"]
    )
    func zeros(text: String) throws {
        #expect(try decode(Double.self, text) == 0)
        #expect(try decode(Float.self, text) == 0)
        #expect(try decode(Double.self, text).sign == (text.hasPrefix("-") ? .minus : .plus))
        SideBySide().expectNoOtherValue(Double.self, text)
    }

    @Test(
        "random numbers are decoded bit for bit as by the standard library",
        .tags(.random),
        arguments: Texts.allCases
    )
    func random(texts: Texts) throws {
        var random = ProofLength.random(seed: 4)
        for _ in ProofLength.rounds(2) {
            let batch = (0..<1000).map { _ in texts.next(&random) }
            try compare(batch, as: Double.self) { $0.bitPattern == $1.bitPattern }
            try compare(batch, as: Float.self) { $0.bitPattern == $1.bitPattern }
        }
    }

    /// Those of the texts whose number the type can hold.
    private func compare<Value: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ texts: [String],
        as type: Value.Type,
        _ isSame: (Value, Value) -> Bool
    ) throws {
        let numbers = texts.compactMap { text in
            Value(text).flatMap { $0.isNormal || $0.isSubnormal ? (text: text, value: $0) : nil }
        }
        #expect(numbers.count > texts.count / 16)
        let values = try HeliumJSONDecoder()
            .decode([Value].self, from: "[\(numbers.map(\.text).joined(separator: ","))]")
        try #require(values.count == numbers.count)
        for (number, value) in zip(numbers, values) where !isSame(number.value, value) {
            Issue.record("\(number.text) as \(type)")
        }
    }

    enum Texts: CaseIterable {
        /// Any finite double as Swift prints it.
        case bitPatterns
        /// The same by 17 digits and by 25.
        case seventeenDigits
        /// Up to 25 digits with a point somewhere.
        case plain
        /// Up to 22 digits with a point and an exponent.
        case exponents
        /// Small exponents, where few steps suffice.
        case near
        /// The middle between two doubles, exactly, and a digit off.
        case halfway
        /// Prices and coordinates.
        case short
        /// Any finite float as Swift prints it, and its middle to the next.
        case floats

        func next(_ random: inout SeededRandom) -> String {
            switch self {
            case .bitPatterns: return "\(Self.double(&random))"
            case .seventeenDigits: return String(format: random.oneIn(2) ? "%.17g" : "%.24e", Self.double(&random))
            case .plain:
                return Self.digits(1 + random.below(20), &random)
                    + (random.oneIn(4) ? "" : "." + Self.fraction(1 + random.below(20), &random))
            case .exponents:
                let exponent = random.below(700) - 350
                return Self.digits(1 + random.below(12), &random) + "." + Self.fraction(1 + random.below(10), &random)
                    + (random.oneIn(2) ? "e" : "E") + (exponent > 0 && random.oneIn(2) ? "+" : "") + "\(exponent)"
            case .near: return "\(Self.digits(1 + random.below(20), &random))e\(random.below(50) - 25)"
            case .halfway: return Self.halfway(&random)
            case .short: return "\(random.below(100_000)).\(Self.fraction(1 + random.below(6), &random))"
            case .floats:
                let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
                guard float.isFinite else { return "0" }
                if random.oneIn(2) { return "\(float)" }
                return String(format: "%.30e", (Double(float) + Double(float.nextUp)) / 2).replacing("inf", with: "0")
            }
        }

        private static func double(_ random: inout SeededRandom) -> Double {
            let value = Double(bitPattern: random.next())
            return value.isFinite ? value : 0
        }

        /// Between 2^53 and 2^63 the middle of two doubles is a whole number.
        private static func halfway(_ random: inout SeededRandom) -> String {
            let bits = UInt64(1 + random.below(10))
            let middle = (1 << 52 | random.next() >> 12) << bits | 1 << (bits - 1)
            return switch random.below(6) {
            case 0: "\(middle)"
            case 1: "\(middle).0000000000000000000000001"
            case 2: "\(middle - 1).99999999999999999999999"
            case 3: "\(middle)0000e-4"
            case 4: "\(middle &+ 1)"
            default: "\(middle / 1000).\(String(middle % 1000 + 1000).dropFirst())e3"
            }
        }

        private static func digits(_ count: Int, _ random: inout SeededRandom) -> String {
            let sign = random.oneIn(4) ? "-" : ""
            if random.oneIn(6) { return sign + "0" }
            return sign + "\(1 + random.below(9))" + fraction(count - 1, &random)
        }

        private static func fraction(_ count: Int, _ random: inout SeededRandom) -> String {
            let zeros = random.oneIn(3) ? random.below(count + 1) : 0
            return String(repeating: "0", count: zeros)
                + String(decoding: (0..<count - zeros).map { _ in UInt8(48 + random.below(10)) }, as: UTF8.self)
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try HeliumJSONDecoder().decode(type, from: text)
    }
}
