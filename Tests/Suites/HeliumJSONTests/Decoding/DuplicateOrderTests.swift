import Foundation
import HeliumJSON
import TestSupport
import Testing

/// The first of two members with one name wins, whatever was asked for before.
@Suite("Members in every order")
struct DuplicateOrderTests {
    private let both = SideBySide()

    /// Objects of a few to many members whose names repeat, are escaped, or miss.
    @Test(
        "members in random order are found as by Foundation",
        .tags(.random),
        arguments: [3, 20, 63, 64, 65, 130, 400]
    )
    func random(count: Int) {
        var random = ProofLength.random(seed: UInt64(count))
        for _ in ProofLength.rounds(4) {
            let alphabet = [
                "a", "b", "k\(random.below(5))", "é", "name", "\\u0061", "\\u0062c", "x\\n", "", "日本", "longer name",
            ]
            let names = (0..<count).map { _ in
                random.oneIn(3) ? random.pick(alphabet) : "\(random.pick(alphabet))\(random.below(count))"
            }
            let members = names.enumerated().map { "\"\($1)\":\(random.oneIn(9) ? "{\"a\":[\($0)]}" : "\($0)")" }
            let plain = names.map {
                $0.replacing("\\u0061", with: "a").replacing("\\u0062", with: "b").replacing("\\n", with: "\n")
            }
            var asked: [String] = []
            switch random.below(5) {
            case 0: asked = plain
            case 1: asked = plain.reversed()
            case 2: asked = plain.flatMap { [$0, "none", $0] }
            case 3: asked = plain.shuffled(using: &random)
            default: asked = plain.flatMap { random.oneIn(2) ? [$0 + "?"] : [$0, random.pick(plain)] }
            }
            let keys = asked.map(AnyKey.init(stringValue:))
            both.expectSameSteps("{\(members.joined(separator: ","))}") { decoder, recorder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                for key in keys { recorder.step { try container.decodeIfPresent(Int.self, forKey: key) as Any } }
                recorder.step { container.allKeys.map(\.stringValue).sorted() }
            }
        }
    }

    @Test(
        "the first of repeated members counts for types, dictionaries and paths",
        arguments: [
            #"{"a":1,"a":2,"b":3}"#, #"{"b":0,"a":1,"b":3,"a":2}"#, #"{"\u0061":1,"a":2,"b":3}"#,
            #"{"a":1,"\u0061":2,"b":3}"#,
            #"{"a":null,"a":2,"b":3}"#, #"{"b":3,"b":4,"b":5}"#, #"{"c":1,"b":1,"c":2,"a":7,"b":2,"a":8}"#,
        ]
    )
    func types(document: String) throws {
        both.expectSame(Pair.self, document)
        both.expectSame(Reversed.self, document)
        both.expectSame([String: Int?].self, document)
        both.expectSame([Name: Int?].self, document)
        let first = both.expectSame(Reversed.self, document).value
        #expect(try HeliumJSONDecoder().decode(Int?.self, from: Data(document.utf8), at: ["a"]) ?? nil == first?.a)
    }

    private enum Name: String, Codable, CodingKeyRepresentable { case a, b, c }

    private struct Pair: Decodable, Equatable { var a: Int?, b: Int }

    private struct Reversed: Decodable, Equatable {
        var a: Int?
        var b: Int
        enum CodingKeys: CodingKey { case a, b }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            a = try container.decodeIfPresent(Int.self, forKey: .a)
            let again = try decoder.container(keyedBy: CodingKeys.self)
            guard try again.decode(Int.self, forKey: .b) == b else { throw CocoaError(.coderInvalidValue) }
        }
    }

    /// Containers of several objects, asked in turn: they share what is remembered of them.
    @Test("objects that are read in turns are not mixed up")
    func interleaved() {
        let objects = (0..<100).map { number in
            "{" + (0..<40).map { "\"m\(($0 * 7 + number) % 40)\":\(number * 100 + $0)" }.joined(separator: ",") + "}"
        }
        both.expectSameSteps("[\(objects.joined(separator: ","))]") { decoder, recorder in
            var list = try decoder.unkeyedContainer()
            var containers: [KeyedDecodingContainer<NameKey>] = []
            while !list.isAtEnd { containers.append(try list.nestedContainer(keyedBy: NameKey.self)) }
            var random = SeededRandom(seed: 5)
            for _ in 0..<10_000 {
                let key = NameKey(stringValue: "m\(random.below(44))")
                let container = containers[random.below(containers.count)]
                recorder.step { try container.decodeIfPresent(Int.self, forKey: key) as Any }
            }
        }
    }
}
