import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("HeliumJSONEncoder: the same as Foundation's")
struct EncoderDifferentialTests {
    @Test(.tags(.random)) func `generated values are encoded as by Foundation, and decoded to the same`() throws {
        var random = ProofLength.random(seed: 7)
        for number in ProofLength.rounds(400) {
            let formatting: HeliumJSONEncoder.OutputFormatting =
                number % 2 == 0 ? .sortedKeys : [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            let isSnake = number % 5 == 0
            func check<Value: Codable & Equatable>(_ value: Value) throws {
                let ours = try text(value) {
                    $0.outputFormatting = formatting
                    $0.dateEncodingStrategy = .iso8601
                    $0.keyEncodingStrategy = isSnake ? .convertToSnakeCase : .useDefaultKeys
                }
                let theirs = try foundationText(value) {
                    $0.outputFormatting = .init(rawValue: formatting.rawValue)
                    $0.dateEncodingStrategy = .iso8601
                    $0.keyEncodingStrategy = isSnake ? .convertToSnakeCase : .useDefaultKeys
                }
                #expect(ours == theirs, "value \(number)")
                if !isSnake {
                    #expect(try HeliumJSONDecoder().decode(Value.self, from: ours) == value, "value \(number)")
                    let plain = try text(value)
                    #expect(try HeliumJSONDecoder().decode(Value.self, from: plain) == value, "value \(number)")
                }
            }
            switch number % 4 {
            case 0: try check(Flat(&random))
            case 1: try check(Tree(&random, depth: 2))
            case 2: try check([Event](&random, upTo: 5) { Event(&$0) })
            default: try check([String: Tree?](&random) { Bool.random(using: &$0) ? Tree(&$0, depth: 0) : nil })
            }
        }
    }
}

// MARK: Models

private struct Flat: Codable, Equatable {
    var flag: Bool, small: Int8, whole: Int, large: UInt64, huge: Int128?, real: Double, single: Float
    var nameOfThing: String, optionalName: String?, at: Date, until: Date?, bytes: Data, link: URL?, price: Decimal,
        id: UUID

    init(_ random: inout SeededRandom) {
        flag = .random(using: &random)
        small = .random(in: .min ... .max, using: &random)
        whole = .random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random)
        large = .random(in: .min ... .max, using: &random)
        huge = Bool.random(using: &random) ? Int128(large) * Int128(whole) : nil
        real = Double(whole) / [1, 8, 100, 1e7][Int.random(in: 0..<4, using: &random)]
        single = Float(Int32(truncatingIfNeeded: whole)) / 7
        nameOfThing = .random(using: &random)
        optionalName = Bool.random(using: &random) ? .random(using: &random) : nil
        at = Date(timeIntervalSince1970: Double(Int.random(in: -1_000_000_000...9_000_000_000, using: &random)))
        until = flag ? at.addingTimeInterval(60) : nil
        bytes = Data((0..<Int.random(in: 0..<9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        link = flag ? nil : URL(string: "https://example.com/\(small)?q=\(large)")
        price = Decimal(whole) / 1000
        id = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
    }
}

private final class Tree: Codable, Equatable {
    var labels: [String], weights: [Double], counts: [Int: Bool], children: [Tree]?, named: [String: Tree], kind: Kind
    var flat: Flat?, matrix: [[Int?]]

    enum Kind: Codable, Equatable {
        case leaf
        case branch(name: String, Int)
        indirect case wrapped(Kind, [Kind])

        init(_ random: inout SeededRandom) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: self = .branch(name: .random(using: &random), 3)
            case 1: self = .wrapped(Kind(&random), [Kind](&random, upTo: 2) { Kind(&$0) })
            default: self = .leaf
            }
        }
    }

    init(_ random: inout SeededRandom, depth: Int) {
        labels = [String](&random, upTo: 3) { .random(using: &$0) }
        weights = [Double](&random, upTo: 3) { Double(Int8.random(in: .min ... .max, using: &$0)) / 4 }
        counts = [10: true, Int.random(in: 0...9, using: &random): false]
        children = depth > 0 ? [Tree](&random, upTo: 2) { Tree(&$0, depth: depth - 1) } : nil
        named = depth > 1 ? [String: Tree](&random) { Tree(&$0, depth: 0) } : [:]
        kind = Kind(&random)
        flat = Bool.random(using: &random) ? Flat(&random) : nil
        matrix = [[Int?]](&random, upTo: 3) { [Int?](&$0, upTo: 3) { Bool.random(using: &$0) ? 1 : nil } }
    }

    static func == (left: Tree, right: Tree) -> Bool {
        left.labels == right.labels && left.weights == right.weights && left.counts == right.counts
            && left.children == right.children && left.named == right.named && left.kind == right.kind
            && left.flat == right.flat && left.matrix == right.matrix
    }
}

/// Encodes by hand, with containers in each other.
private struct Event: Codable, Equatable {
    var title: String, tags: [String], x: Int, y: Double

    private enum CodingKeys: String, CodingKey { case title, tagList, place, firstCoordinate, second }

    init(_ random: inout SeededRandom) {
        title = .random(using: &random)
        tags = [String](&random, upTo: 4) { .random(using: &$0) }
        x = .random(in: -9...9, using: &random)
        y = Double(x) / 2
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        var list = try container.nestedUnkeyedContainer(forKey: .tagList)
        tags = []
        while !list.isAtEnd { tags.append(try list.decode(String.self)) }
        let place = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .place)
        x = try Int(from: place.superDecoder(forKey: .firstCoordinate))
        y = try place.decode(Double.self, forKey: .second)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var place = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .place)
        var list = container.nestedUnkeyedContainer(forKey: .tagList)
        for (index, tag) in tags.enumerated() {
            try list.encode(tag)
            if index == 1 { try place.encode(0, forKey: .second) }
        }
        try container.encode(title, forKey: .title)
        try place.encode(y, forKey: .second)
        try x.encode(to: place.superEncoder(forKey: .firstCoordinate))
    }
}

// MARK: Random parts

extension Array {
    fileprivate init(_ random: inout SeededRandom, upTo count: Int, _ element: (inout SeededRandom) -> Element) {
        self = (0..<Int.random(in: 0...count, using: &random)).map { _ in element(&random) }
    }
}

extension Dictionary where Key == String {
    fileprivate init(_ random: inout SeededRandom, _ value: (inout SeededRandom) -> Value) {
        self = [:]
        for _ in 0..<Int.random(in: 0..<3, using: &random) { self[.random(using: &random)] = value(&random) }
    }
}

extension String {
    private static let characters: [Character] = [
        "a", "Z", "0", "9", " ", "_", "/", "\\", "\"", "\n", "\t", "\0", "\u{1F}", "\u{7F}", "é", "ß", "\u{2028}", "漢",
        "😀",
    ]

    fileprivate static func random(using random: inout SeededRandom) -> String {
        String(
            (0..<Int.random(in: 0...12, using: &random)).map { _ in
                characters[Int.random(in: 0..<characters.count, using: &random)]
            }
        )
    }
}
