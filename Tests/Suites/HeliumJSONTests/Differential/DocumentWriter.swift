import Foundation
import HeliumJSON
import TestSupport

/// Writes random documents of the shapes that types ask for, some of them a little wrong.
struct DocumentWriter {
    enum DateStyle: CaseIterable { case reference, seconds, milliseconds, iso8601 }

    /// The settings of both decoders, for which documents are written.
    struct Style {
        var dates = DateStyle.reference
        var usesSnakeCase = false
        var usesByteArrays = false
        var namesInfinities = false

        init(_ random: inout SeededRandom) {
            dates = random.pick(DateStyle.allCases)
            usesSnakeCase = random.oneIn(3)
            usesByteArrays = random.oneIn(4)
            namesInfinities = random.oneIn(3)
        }
    }

    let style: Style
    var random: SeededRandom
    private(set) var text = ""
    /// One value in so many is of another type than it should be; 0 for none.
    private let oddity: Int

    init(style: Style, seed: UInt64) {
        self.style = style
        random = SeededRandom(seed: seed)
        oddity = random.pick([0, 0, 0, 12, 60])
    }

    private var takesLargeDates: Bool { [.reference, .iso8601].contains(style.dates) }
    /// Whether each number is a date that both decoders accept.
    private var hasNumbersWithinDates = false
    /// Whether no object has two members with one name.
    private var hasUniqueMembers = false

    mutating func put(_ token: String) { text += token }

    mutating func space() {
        if random.oneIn(12) { text += random.pick([" ", "\n", "\t", "\r\n", "  \n "]) }
    }

    // MARK: Values

    /// A value as `write` writes it, or now and then another.
    mutating func value(_ write: (inout DocumentWriter) -> Void) {
        space()
        if oddity > 0, random.oneIn(oddity) {
            odd()
        } else {
            write(&self)
        }
        space()
    }

    /// Writes a value of one of two types, of which the first is tried first. The value may thus be tried as one of the
    /// other type: a number as a date, and an object as a dictionary, whose members Foundation reads all.
    mutating func asOneOfTwo(isSecond: Bool, _ write: (inout DocumentWriter, Bool) -> Void) {
        let before = (hasNumbersWithinDates, hasUniqueMembers)
        hasNumbersWithinDates = hasNumbersWithinDates || isSecond && !takesLargeDates
        hasUniqueMembers = true
        write(&self, isSecond)
        (hasNumbersWithinDates, hasUniqueMembers) = before
    }

    /// Writes a value that does not fit. Values that only one of the decoders accepts have tests of their own: texts of
    /// numbers as dates, years beyond 9999, and numbers that are integers only after rounding.
    private mutating func odd() {
        let large = takesLargeDates ? ["99999999999999999999", "\"1\""] : []
        put(
            random.pick(
                large + [
                    "null", "null", "null", "true", "0", "-1", "1.5", "300", "\"x\"", "\"\"", "[]", "{}", "[null]",
                    "[1]",
                    "{\"a\":1}", "1e400", "{\"x\":{\"y\":[]}}", "[[]]",
                ]
            )
        )
    }

    mutating func array(_ count: Int, _ element: (inout DocumentWriter, Int) -> Void) {
        put("[")
        for index in 0..<count {
            if index > 0 { put(",") }
            value { element(&$0, index) }
        }
        if count == 0 { space() }
        put("]")
    }

    typealias Member = (name: String, write: (inout DocumentWriter) -> Void)

    /// An object: its members in order or not, some missing, some twice, and others between.
    mutating func object(_ members: [Member]) {
        var all: [Member] = []
        for member in members {
            if !hasUniqueMembers, random.oneIn(30) { all.append(other()) }
            if oddity > 0, random.oneIn(oddity) { continue }
            all.append(member)
            if !hasUniqueMembers, random.oneIn(25) {
                all.append(random.oneIn(2) ? member : (member.name, { $0.odd() }))
            }
        }
        if random.oneIn(3) { all.shuffle(using: &random) }
        put("{")
        for (index, member) in all.enumerated() {
            if index > 0 { put(",") }
            space()
            string(style.usesSnakeCase ? Self.snakeCase(member.name) : member.name)
            space()
            put(":")
            value(member.write)
        }
        put("}")
    }

    private mutating func other() -> Member {
        let name = random.pick(["other", "", "é", "unknown_name", "zz", "日本", "a\nb", "createdAt2"])
        return (
            name, { $0.random.oneIn(3) ? $0.odd() : $0.put("{\"nested\":[1,{\"deep\":null}],\"text\":\"\\u0041\"}") }
        )
    }

    /// `oneTwo` as `one_two`.
    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
    }

    // MARK: Scalars

    mutating func string(_ value: String) {
        put("\"")
        let escapesAll = random.oneIn(20)
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": put("\\\(scalar)")
            case "\n" where random.oneIn(2): put("\\n")
            case ..<" ": put(Self.escape(UInt16(scalar.value)))
            default:
                if escapesAll || random.oneIn(40) {
                    for unit in String(scalar).utf16 { put(Self.escape(unit)) }
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        put("\"")
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    mutating func anyString() -> String {
        random.pick([
            "", "a", "text", "a longer text, beyond what fits in a string itself", "é", "e\u{301}", "日本語", "🎏 wind",
            "a\"b\\c/d", "line\nbreak\ttab", "\0", "\u{7F}\u{80}\u{FFFF}", "12a", "null", "\u{10FFFF}", "exactly8",
            "nine char",
            "\u{FEFF}", "x\u{1}y", "{}", "  ",
        ])
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) {
        let small = random.below(120)
        if hasNumbersWithinDates { return put("\(small)") }
        switch random.below(24) {
        case 0: put("\(Value.max)")
        case 1: put("\(Value.min)")
        case 2: put("0")
        case 3: put("-0")
        case 4: put("\(small).0")
        case 5: put("\(1 + small % 12)e1")
        case 6: put("\(small + 1)0E-1")
        case 7 where oddity > 0 && takesLargeDates: put("\(Value.max)0")
        case 8 where oddity > 0: put("\(small).5")
        case 9 where oddity > 0: put("-1")
        case 10: put("\(Value(truncatingIfNeeded: random.next()))")
        default: put("\(small)")
        }
    }

    mutating func float() {
        if hasNumbersWithinDates { return put("\(random.below(100_000)).\(random.below(1000))") }
        if style.namesInfinities, random.oneIn(8) { return put(random.pick(["\"inf\"", "\"-inf\"", "\"nan\""])) }
        switch random.below(12) {
        case 0: put("0")
        case 1: put("-0.0")
        case 2: put("\(Double(Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 34) | 0x2000_0000)))")
        case 3: put("\(random.next())")
        case 4: put("-\(random.below(1000)).\(random.below(1_000_000))e\(random.below(40) - 20)")
        case 5:
            put(random.pick(["1e22", "1e23", "9007199254740993", "0.1", "1E+5", "1.5e-7", "3.4028235e38", "1e-45"]))
        case 6 where oddity > 0 && takesLargeDates: put(random.pick(["1e400", "-1e999", "1e39"]))
        default: put("\(random.below(100_000)).\(random.below(1000))")
        }
    }

    mutating func decimal() {
        if hasNumbersWithinDates { return put("\(random.below(1_000_000_000))") }
        put(random.oneIn(2) ? "-" : "")
        put("\(random.below(1_000_000_000))")
        if random.oneIn(2) { put(".\(random.next())") }
        if random.oneIn(4) { put("e\(random.below(60) - 30)") }
    }

    /// Whole days of the years 1600 to 2399, and fractions of seconds where there can be some.
    mutating func date() {
        let seconds = random.below(25_000_000_000) - 11_600_000_000
        switch style.dates {
        case .reference: put(random.oneIn(2) ? "\(seconds)" : "\(seconds).\(random.below(1000))")
        case .seconds: put(random.oneIn(2) ? "\(seconds)" : "\(seconds).\(random.below(1_000_000))")
        case .milliseconds: put(random.oneIn(2) ? "\(seconds)000" : "\(seconds)\(100 + random.below(900)).5")
        case .iso8601:
            let date = Date(timeIntervalSince1970: Double(seconds))
            put("\"\(date.formatted(.iso8601))\"")
        }
    }

    mutating func data() {
        let bytes = (0..<random.below(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if style.usesByteArrays {
            put("[\(bytes.map(String.init).joined(separator: ","))]")
        } else {
            put("\"\(Data(bytes).base64EncodedString())\(oddity > 0 && random.oneIn(9) ? "=" : "")\"")
        }
    }
}
