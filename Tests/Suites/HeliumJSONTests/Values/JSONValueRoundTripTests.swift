import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("JSON values survive") struct JSONValueRoundTripTests {
    @Test("JSON values are equal after writing and parsing text", .tags(.random), arguments: ProofLength.seeds(5))
    func text(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<10 {
            let value = random.value(depth: 6)
            for formatting: JSONValue.Formatting in [[], .pretty, .sortedMembers, [.pretty, .sortedMembers]] {
                let read = try JSONValue(parsing: value.data(formatting: formatting))
                #expect(read == value)
                #expect(read.hashValue == value.hashValue)
                // Lossless is more than equal: text of text is the same text.
                #expect(read.text(formatting: formatting) == value.text(formatting: formatting))
            }
            #expect(try JSONValue(parsing: value.text()).text() == value.text())
        }
    }

    @Test(
        "JSON values are equal after a conversion to JSONSerialization's and back",
        .tags(.random),
        arguments: ProofLength.seeds(5)
    )
    func foundation(seed: UInt64) throws {
        var random = RandomJSON(seed: seed, numbers: .foundation)
        for _ in 0..<10 {
            let value = random.value(depth: 6)
            let object = try JSONSerialization.jsonObject(with: value.data(), options: .fragmentsAllowed)
            let text = try JSONSerialization.data(withJSONObject: object, options: .fragmentsAllowed)
            #expect(try JSONValue(parsing: text) == value)
        }
    }

    @Test("JSON values are equal after Foundation's coders", .tags(.random), arguments: ProofLength.seeds(10))
    func coders(seed: UInt64) throws {
        var random = RandomJSON(seed: seed, numbers: .foundation)
        let value = random.value(depth: 5)
        let text = try JSONEncoder().encode(value)
        #expect(try JSONValue(parsing: text) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: value.data()) == value)
    }

    @Test("a JSON value with one changed part is not equal", .tags(.random), arguments: ProofLength.seeds(10))
    func changed(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let value = JSONValue.array([random.value(depth: 4), random.value(depth: 4)])
        var other = value
        other[1] = .array([value, .null])
        #expect(other != value)
        #expect(other[0] == value[0])
    }
}

/// Makes values.
struct RandomJSON {
    enum Numbers { case any, foundation }

    private var random: SeededRandom
    private let numbers: Numbers

    init(seed: UInt64, numbers: Numbers = .any) {
        random = SeededRandom(seed: seed)
        self.numbers = numbers
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2, 3: .number(number())
        case 4, 5: .string(string())
        case 6: .array((0..<count()).map { _ in value(depth: depth - 1) })
        default: .object(JSONObject((0..<count()).map { _ in (string(), value(depth: depth - 1)) }))
        }
    }

    /// Few mostly, and sometimes enough for an index.
    private mutating func count() -> Int {
        Int.random(in: 0..<(Int.random(in: 0..<12, using: &random) == 0 ? 60 : 5), using: &random)
    }

    private mutating func number() -> JSONNumber {
        switch Int.random(in: 0..<(numbers == .any ? 4 : 2), using: &random) {
        case 0: return JSONNumber(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 1: return JSONNumber(Double(Int.random(in: -9999...9999, using: &random)) / 64) ?? 0
        case 2: return JSONNumber(Double(bitPattern: random.next())) ?? 1
        default:
            let digits = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }
            let exponent = Int.random(in: -2000...2000, using: &random)
            return JSONNumber("-1\(digits.joined()).\(digits.joined())E\(exponent)") ?? 2
        }
    }

    private mutating func string() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "c", "\"", "\\", "/", "\u{0}", "\n", "\u{1F}", "\u{7F}", "é", "\u{2028}", "\u{FFFD}", "😀", "漢",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<24, using: &random) {
            text.append(scalars.randomElement(using: &random) ?? "x")
        }
        return String(text)
    }
}
