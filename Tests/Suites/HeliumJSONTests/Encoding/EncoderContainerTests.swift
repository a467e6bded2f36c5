import Foundation
import HeliumJSON
import TestSupport
import Testing

/// Encodes what a closure does to an encoder.
struct Scripted: Encodable {
    let script: (any Encoder) throws -> Void

    init(_ script: @escaping (any Encoder) throws -> Void) { self.script = script }

    func encode(to encoder: any Encoder) throws { try script(encoder) }
}

enum Name: String, CodingKey { case a, b, c, d, e, list, object, other }

@Suite("HeliumJSONEncoder: containers")
struct EncoderContainerTests {
    private static func keyed(_ encoder: any Encoder) -> KeyedEncodingContainer<Name> {
        encoder.container(keyedBy: Name.self)
    }

    /// Scripts, what comes out, and whether Foundation, sorted, gives the same.
    static let scripts: [(name: String, script: @Sendable (any Encoder) throws -> Void, text: String)] = [
        (
            "nested one in the other",
            { encoder in
                var top = keyed(encoder)
                var list = top.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                var inner = list.nestedContainer(keyedBy: Name.self)
                try inner.encode("x", forKey: .a)
                var innermost = list.nestedUnkeyedContainer()
                try innermost.encode(true)
                try innermost.encodeNil()
                try top.encodeNil(forKey: .b)
            }, #"{"list":[1,{"a":"x"},[true,null]],"b":null}"#
        ),
        (
            "two lists in turn",
            { encoder in
                var top = keyed(encoder)
                var first = top.nestedUnkeyedContainer(forKey: .a)
                var second = top.nestedUnkeyedContainer(forKey: .b)
                for index in 0..<4 {
                    try first.encode(index)
                    try second.encode("\(index)")
                    try top.encode(index, forKey: .c)
                }
            }, #"{"a":[0,1,2,3],"b":["0","1","2","3"],"c":3}"#
        ),
        (
            "a container that goes on after all around it did",
            { encoder in
                var top = keyed(encoder)
                var object = top.nestedContainer(keyedBy: Name.self, forKey: .object)
                var list = object.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                try object.encode(2, forKey: .a)
                try top.encode(3, forKey: .b)
                try list.encode(4)
                var inner = list.nestedContainer(keyedBy: Name.self)
                try object.encode(5, forKey: .c)
                try inner.encode(6, forKey: .d)
                try list.encode([7, 8])
                try top.encode([9], forKey: .e)
                try inner.encode(["k": 10], forKey: .e)
            }, #"{"object":{"list":[1,4,{"d":6,"e":{"k":10}},[7,8]],"a":2,"c":5},"b":3,"e":[9]}"#
        ),
        (
            "super encoders at once, later and never used",
            { encoder in
                var top = keyed(encoder)
                let first = top.superEncoder()
                let second = top.superEncoder(forKey: .b)
                _ = top.superEncoder(forKey: .c)
                try top.encode(1, forKey: .a)
                try [2].encode(to: second)
                var container = first.container(keyedBy: Name.self)
                try container.encode(3, forKey: .d)
            }, #"{"super":{"d":3},"b":[2],"c":{},"a":1}"#
        ),
        (
            "super encoders of a list",
            { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(0)
                try 1.encode(to: list.superEncoder())
                _ = list.superEncoder()
                try list.encode(3)
            }, "[0,1,{},3]"
        ),
        (
            "one container asked for twice",
            { encoder in
                var first = keyed(encoder)
                try first.encode(1, forKey: .a)
                var second = keyed(encoder)
                try second.encode(2, forKey: .b)
                try first.encode(3, forKey: .c)
            }, #"{"a":1,"b":2,"c":3}"#
        ),
        (
            "one list asked for twice",
            { encoder in
                var first = encoder.unkeyedContainer()
                try first.encode(contentsOf: [1, 2])
                var second = encoder.unkeyedContainer()
                try second.encode(3)
                #expect(second.count == 3)
            }, "[1,2,3]"
        ),
        (
            "a nested container asked for twice",
            { encoder in
                var top = keyed(encoder)
                var first = top.nestedContainer(keyedBy: Name.self, forKey: .object)
                try first.encode(1, forKey: .a)
                try top.encode(0, forKey: .other)
                var second = top.nestedContainer(keyedBy: Name.self, forKey: .object)
                try second.encode(2, forKey: .b)
                var list = top.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                list = top.nestedUnkeyedContainer(forKey: .list)
                try list.encode(2)
            }, #"{"object":{"a":1,"b":2},"other":0,"list":[1,2]}"#
        ),
        (
            "a nested container for what was encoded as a whole",
            { encoder in
                var top = keyed(encoder)
                try top.encode(["a": "]}\"", "c": "y"], forKey: .object)
                try top.encode([[1], [2, 3]], forKey: .list)
                try top.encode([Int](), forKey: .d)
                try top.encode([String: Int](), forKey: .e)
                var object = top.nestedContainer(keyedBy: Name.self, forKey: .object)
                try object.encode(5, forKey: .b)
                try object.encode(6, forKey: .a)
                var list = top.nestedUnkeyedContainer(forKey: .list)
                #expect(list.count == 2)
                try list.encode(4)
                list = top.nestedUnkeyedContainer(forKey: .d)
                try list.encode(7)
                object = top.nestedContainer(keyedBy: Name.self, forKey: .e)
                try object.encode(8, forKey: .a)
                try object.encode(9, forKey: .b)
            }, #"{"object":{"a":6,"c":"y","b":5},"list":[[1],[2,3],4],"d":[7],"e":{"a":8,"b":9}}"#
        ),
        (
            "members on top of a single value that is an object",
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(["a": 1])
                var container = keyed(encoder)
                try container.encode(2, forKey: .b)
                try container.encode(3, forKey: .a)
            }, #"{"a":3,"b":2}"#
        ),
        (
            "members on top of a dictionary of many",
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(Dictionary(uniqueKeysWithValues: (10..<50).map { ("m\($0)", $0) }))
                var container = encoder.container(keyedBy: AnyName.self)
                try container.encode(-1, forKey: AnyName("m10"))
                try container.encode(0, forKey: AnyName("m50"))
                try container.encode(-2, forKey: AnyName("m50"))
                for number in 10..<49 { try container.encode(number * 2, forKey: AnyName("m\(number)")) }
            },
            "{" + (10..<51).map { #""m\#($0)":\#($0 < 49 ? $0 * 2 : $0 == 50 ? -2 : $0)"# }.joined(separator: ",") + "}"
        ),
        (
            "the last of two members with one name, in the first's place",
            { encoder in
                var top = keyed(encoder)
                try top.encode(1, forKey: .a)
                try top.encode(2, forKey: .b)
                try top.encode([3], forKey: .a)
                try top.encodeNil(forKey: .b)
            }, #"{"a":[3],"b":null}"#
        ),
        (
            "values that encode nothing",
            { encoder in
                var top = keyed(encoder)
                try top.encode(Scripted { _ in }, forKey: .a)
                try top.encode([Scripted { _ in }, Scripted { _ = $0.singleValueContainer() }], forKey: .b)
            }, #"{"a":{},"b":[{},{}]}"#
        ),
        (
            "empty containers",
            { encoder in
                var top = keyed(encoder)
                _ = top.nestedContainer(keyedBy: Name.self, forKey: .a)
                _ = top.nestedUnkeyedContainer(forKey: .b)
                try top.encode(Scripted { _ = $0.unkeyedContainer() }, forKey: .c)
                try top.encode(Scripted { _ = $0.container(keyedBy: Name.self) }, forKey: .d)
            }, #"{"a":{},"b":[],"c":[],"d":{}}"#
        ),
    ]

    @Test(arguments: scripts.indices)
    func `an encoder writes the same as Foundation's for any order of calls`(_ index: Int) throws {
        let (name, script, expected) = Self.scripts[index]
        let value = Scripted(script)
        #expect(try text(value) == expected, "\(name)")
        #expect(try text([value]) == "[\(expected)]", "\(name)")
        for formatting: HeliumJSONEncoder.OutputFormatting in [.sortedKeys, [.sortedKeys, .prettyPrinted]] {
            let theirs = try foundationText(["k": value]) { $0.outputFormatting = .init(rawValue: formatting.rawValue) }
            #expect(try text(["k": value]) { $0.outputFormatting = formatting } == theirs, "\(name)")
        }
    }

    // Foundation's encoder traps.
    @Test func `a caught failure leaves nothing in the encoded document`() throws {
        let value = Scripted { encoder in
            var top = encoder.container(keyedBy: Name.self)
            try top.encode(1, forKey: .a)
            try? top.encode(["k": [1, .nan]], forKey: .b)
            try? top.encode(Double.infinity, forKey: .c)
            try? top.encode(
                Scripted {
                    var container = $0.container(keyedBy: Name.self)
                    var list = container.nestedUnkeyedContainer(forKey: .list)
                    try list.encode(1)
                    throw CancellationError()
                },
                forKey: .d
            )
            var list = top.nestedUnkeyedContainer(forKey: .list)
            try? list.encode(Double.nan)
            try? list.encode([Double.nan])
            try? list.encode(Decimal.nan)
            try list.encode(2)
            try top.encode(3, forKey: .b)
        }
        #expect(try text(value) == #"{"a":1,"list":[2],"b":3}"#)
    }

    @Test func `a class and its superclass are encoded into one object or two`() throws {
        #expect(try text(Derived()) == #"{"base":1,"shared":"base","derived":2}"#)
        #expect(try text([Nested()]) == #"[{"nested":3,"super":{"base":1,"shared":"base"}}]"#)
    }

    @Test func `a name that is encoded twice is found among many members`() throws {
        for count in [30, 31, 32, 33, 34, 100, 1000] {
            let value = Scripted { encoder in
                var container = encoder.container(keyedBy: AnyName.self)
                for index in 0..<count { try container.encode(index, forKey: AnyName("member \(index)")) }
                for index in stride(from: 0, to: count, by: 3) {
                    try container.encode(-index, forKey: AnyName("member \(index)"))
                }
                var nested = container.nestedContainer(keyedBy: AnyName.self, forKey: AnyName("nested"))
                try nested.encode(1, forKey: AnyName("a"))
                nested = container.nestedContainer(keyedBy: AnyName.self, forKey: AnyName("nested"))
                try nested.encode(2, forKey: AnyName("b"))
            }
            let members = (0..<count).map { #""member \#($0)":\#($0 % 3 == 0 ? -$0 : $0)"# }.joined(separator: ",")
            #expect(try text(value) == #"{\#(members),"nested":{"a":1,"b":2}}"#)
        }
    }

    @Test func `ten thousand turns between two encoded lists take linear time`() throws {
        let value = Scripted { encoder in
            var top = encoder.container(keyedBy: Name.self)
            var first = top.nestedUnkeyedContainer(forKey: .a)
            var second = top.nestedUnkeyedContainer(forKey: .b)
            for index in 0..<10_000 {
                try first.encode(index)
                try second.encode(index)
            }
        }
        let list = Array(0..<10_000)
        #expect(try text(value) == text(["a": list, "b": list]))
    }

    @Test(.tags(.random)) func `random calls of an encoder have the same result as Foundation's`() throws {
        for round in ProofLength.rounds(300) {
            let seed = ProofLength.seed(UInt64(round))
            let value = Scripted { encoder in
                var random = SeededRandom(seed: seed)
                var calls = RandomCalls(encoder: encoder)
                for _ in 0..<Int.random(in: 1...40, using: &random) { try calls.call(&random) }
            }
            let ours = try text([value]) { $0.outputFormatting = .sortedKeys }
            #expect(try ours == foundationText([value]) { $0.outputFormatting = .sortedKeys }, "seed \(seed)")
        }
    }
}

struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private class Base: Encodable {
    private enum CodingKeys: String, CodingKey { case base, shared }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .base)
        try container.encode("base", forKey: .shared)
    }
}

private final class Derived: Base {
    private enum CodingKeys: String, CodingKey { case derived }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(2, forKey: .derived)
    }
}

private final class Nested: Base {
    private enum CodingKeys: String, CodingKey { case nested }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(3, forKey: .nested)
        try super.encode(to: container.superEncoder())
    }
}

/// Containers of one encoder, and random calls on any of them.
private struct RandomCalls {
    private var objects: [KeyedEncodingContainer<AnyName>]
    private var lists: [any UnkeyedEncodingContainer] = []
    private var supers: [any Encoder] = []
    private var names = 0

    init(encoder: any Encoder) { objects = [encoder.container(keyedBy: AnyName.self)] }

    mutating func call(_ random: inout SeededRandom) throws {
        names += 1
        let name = AnyName("n\(names)")
        let object = Int.random(in: 0..<objects.count, using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 9:
            // Of the outermost only: Foundation's write themselves when they are released, in whatever order.
            supers.append(objects[0].superEncoder(forKey: name))
        case 10:
            guard let encoder = supers.randomElement(using: &random) else { break }
            objects.append(encoder.container(keyedBy: AnyName.self))
        case 0: try objects[object].encode(names, forKey: name)
        case 1: try objects[object].encode("v", forKey: AnyName("same"))
        case 2: objects.append(objects[object].nestedContainer(keyedBy: AnyName.self, forKey: name))
        case 3: lists.append(objects[object].nestedUnkeyedContainer(forKey: name))
        case 4: objects.append(objects[object].nestedContainer(keyedBy: AnyName.self, forKey: AnyName("object")))
        case 5: try objects[object].encode(["x": [names]], forKey: name)
        case let number where !lists.isEmpty:
            let list = Int.random(in: 0..<lists.count, using: &random)
            switch number {
            case 6: try lists[list].encode(names)
            case 7: objects.append(lists[list].nestedContainer(keyedBy: AnyName.self))
            default: lists.append(lists[list].nestedUnkeyedContainer())
            }
        default: break
        }
    }
}
