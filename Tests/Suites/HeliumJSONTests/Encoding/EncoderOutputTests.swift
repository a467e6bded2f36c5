import Foundation
import HeliumJSON
import Testing

/// The compact text of a value.
func text(_ value: some Encodable, _ configure: (inout HeliumJSONEncoder) -> Void = { _ in }) throws -> String {
    var encoder = HeliumJSONEncoder()
    configure(&encoder)
    return try encoder.encodeToString(value)
}

/// Foundation's.
func foundationText(_ value: some Encodable, _ configure: (JSONEncoder) -> Void = { _ in }) throws -> String {
    let encoder = JSONEncoder()
    configure(encoder)
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

@Suite("HeliumJSONEncoder: text")
struct EncoderOutputTests {
    private enum Suit: String, Codable { case spades, hearts }
    private enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case line(Int, Int)
        case empty
    }
    private enum Side: String, CodingKey, CodingKeyRepresentable, Codable { case left, right }
    private struct Empty: Encodable {}

    static let scalars: [(any Encodable & Sendable, String)] = [
        (true, "true"), (false, "false"), (Int?.none, "null"), (Int?.some(3), "3"), (0, "0"), (-1, "-1"), (10, "10"),
        (99, "99"), (100, "100"), (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808"),
        (Int8.min, "-128"), (Int16.min, "-32768"), (Int32.min, "-2147483648"), (Int64.min, "-9223372036854775808"),
        (UInt8.max, "255"), (UInt16.max, "65535"), (UInt32.max, "4294967295"), (UInt64.max, "18446744073709551615"),
        (UInt.max, "18446744073709551615"), (UInt64(10_000_000_000_000_000_000), "10000000000000000000"),
        (UInt64(9_999_999_999_999_999_999), "9999999999999999999"),
        (Int128.min, "-170141183460469231731687303715884105728"),
        (UInt128.max, "340282366920938463463374607431768211455"), (Int128(-7), "-7"),
        (1.0, "1"), (-0.0, "-0"), (0.0, "0"), (0.1, "0.1"), (-2.5, "-2.5"), (1e15, "1000000000000000"), (1e16, "1e+16"),
        (0.0001, "0.0001"), (0.00001, "1e-05"), (123456.789, "123456.789"), (Double.leastNonzeroMagnitude, "5e-324"),
        (1.000001, "1.000001"),
        (1.0000001, "1.0000001"), (0.001, "0.001"), (999_999_999.999999, "999999999.999999"), (0.3, "0.3"),
        (0.1 + 0.2, "0.30000000000000004"), (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        (Float(0.1), "0.1"), (Float(1), "1"), (Float(-0.0), "-0"), (Float(16_777_216), "16777216"),
        (Float(33_554_432), "3.3554432e+07"), (Float(3.4e38), "3.4e+38"),
        ("", #""""#), ("é😀", #""é😀""#), (Suit.hearts, #""hearts""#),
        (Shape.circle(radius: 1.5), #"{"circle":{"radius":1.5}}"#),
        (Shape.line(1, 2), #"{"line":{"_0":1,"_1":2}}"#), (Shape.empty, #"{"empty":{}}"#), (Empty(), "{}"),
        ([Int](), "[]"), ([String: Int](), "{}"), ([1, nil, 3] as [Int?], "[1,null,3]"), ([[1], []], "[[1],[]]"),
        (["b": 1, "a": 2], #"{"a":2,"b":1}"#), ([2: "x", 10: "y"], #"{"10":"y","2":"x"}"#),
        ([Side.left: 1], #"{"left":1}"#), (URL(string: "http://a.b/c?d=e"), #""http:\/\/a.b\/c?d=e""#),
        (Decimal(string: "-123456789012345678901234567890.12345678"), "-123456789012345678901234567890.12345678"),
        (Set([1]), "[1]"), (1..<3, "[1,3]"), (ContiguousArray(["a", "b"]), #"["a","b"]"#),
        (Data([1, 2, 255]), #""AQL\/""#),
        (UUID(uuidString: "00000000-0000-0000-0000-00000000000A"), #""00000000-0000-0000-0000-00000000000A""#),
        (CGRect(x: 1, y: 2, width: 3, height: 4), "[[1,2],[3,4]]"),
    ]

    @Test(arguments: scalars.indices)
    func `writes a value as Foundation does`(_ index: Int) throws {
        let (value, expected) = Self.scalars[index]
        #expect(try text(value) == expected)
        #expect(try foundationText(value) { $0.outputFormatting = .sortedKeys } == expected)
    }

    @Test func `an array's elements, whatever type they are`() throws {
        #expect(try text([1.5, 2]) == "[1.5,2]")
        #expect(try text([true, false]) == "[true,false]")
        #expect(try text([UInt8.max, 0]) == "[255,0]")
        #expect(try text([Int128.max]) == "[170141183460469231731687303715884105727]")
        #expect(try text([Float(0.5)]) == "[0.5]")
        #expect(try text(["a/b"]) { $0.outputFormatting = .withoutEscapingSlashes } == #"["a/b"]"#)
        #expect(try text([Suit.spades]) == #"["spades"]"#)
        #expect(try text([["k": [Shape.empty]]]) == #"[{"k":[{"empty":{}}]}]"#)
    }

    @Test func `every character of a string comes back, at every place in it`() throws {
        let decoder = HeliumJSONDecoder()
        for code in (0...0x2FF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            for before in 0..<18 {
                let string = String(repeating: "a", count: before) + String(Character(code)) + "z"
                let written = try text([string])
                #expect(try decoder.decode([String].self, from: written) == [string])
                if before < 9 { #expect(try written == foundationText([string])) }
            }
        }
        let special = String((0...0x7F as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) }) + "é\u{2028}😀"
        #expect(try text(special) == foundationText(special))
        #expect(try text([special: special]) == foundationText([special: special]))
    }

    @Test func `members stand in the order of encoding`() throws {
        struct Model: Encodable { var z = 1, a = "x", m = [true], b: Int? = nil, c: Int? = 4 }
        #expect(try text(Model()) == #"{"z":1,"a":"x","m":[true],"c":4}"#)
        #expect(try text(Model()) { $0.outputFormatting = .sortedKeys } == #"{"a":"x","c":4,"m":[true],"z":1}"#)
    }

    @Test func `sorts by the bytes of names, not of their escapes`() throws {
        let names = ["b", "a", "\"", "#", "/", "0", "é", "e\u{301}", "\n", "😀", "\u{FFFF}", "", "aa", "A"]
        let value = Dictionary(uniqueKeysWithValues: names.filter { $0 != "e\u{301}" }.map { ($0, 1) })
        let sorted = try text(value) { $0.outputFormatting = .sortedKeys }
        #expect(try sorted == foundationText(value) { $0.outputFormatting = .sortedKeys })
        #expect(try sorted == text(value))
    }

    @Test func `lays out as Foundation does`() throws {
        struct Model: Encodable {
            var none: [Int] = [], noMembers: [String: Int] = [:], list = [1, 2], deep = ["x": ["y": true]],
                lists = [[1], []]
        }
        for formatting: HeliumJSONEncoder.OutputFormatting in [
            .prettyPrinted, [.prettyPrinted, .withoutEscapingSlashes],
        ] {
            let ours = try text(Model()) { $0.outputFormatting = formatting.union(.sortedKeys) }
            let theirs = try foundationText(Model()) {
                $0.outputFormatting = .init(rawValue: formatting.rawValue).union(.sortedKeys)
            }
            #expect(ours == theirs)
        }
        #expect(try text([1]) { $0.outputFormatting = .prettyPrinted } == "[\n  1\n]")
        #expect(try text("x") { $0.outputFormatting = .prettyPrinted } == #""x""#)
        #expect(
            try text(["b": 1, "a": 2]) { $0.outputFormatting = .prettyPrinted } == "{\n  \"a\" : 2,\n  \"b\" : 1\n}"
        )
    }

    @Test func `gives data, bytes and a string`() throws {
        let encoder = HeliumJSONEncoder()
        #expect(try encoder.encode([1]) == Data("[1]".utf8))
        #expect(try encoder.encodeToBytes([1]) == Array("[1]".utf8))
        #expect(try encoder.encodeToString([1]) == "[1]")
    }

    @Test func `takes a configuration`() throws {
        struct Model: EncodableWithConfiguration {
            func encode(to encoder: any Encoder, configuration: String) throws {
                var container = encoder.singleValueContainer()
                try container.encode(configuration)
            }
        }
        #expect(try HeliumJSONEncoder().encode(Model(), configuration: "c") == Data(#""c""#.utf8))
    }

    @Test func `types find user info`() throws {
        struct Model: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(encoder.userInfo[.init(rawValue: "k")!] as? String)
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        #expect(try text([Model()]) { $0.userInfo = [key: "v"] } == #"["v"]"#)
    }

    @Test func `a long text keeps its parts`() throws {
        let value = (0..<20_000).map { "\($0) \(String(repeating: "é\n", count: $0 % 50))" }
        #expect(try HeliumJSONDecoder().decode([String].self, from: text(value)) == value)
    }
}
