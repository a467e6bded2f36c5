import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("HeliumJSONEncoder: misbehaving types")
struct MisbehavingEncodableTests {
    /// A container that a script keeps for another script.
    private final class Kept {
        var object: KeyedEncodingContainer<AnyName>?
        var array: (any UnkeyedEncodingContainer)?
        var encoder: (any Encoder)?
    }

    private typealias Script = @Sendable (any Encoder) throws -> Void

    /// Encodes a member, then fails.
    private static var failing: Scripted {
        Scripted { encoder in
            var object = encoder.container(keyedBy: AnyName.self)
            try object.encode(1, forKey: AnyName("lost"))
            throw CancellationError()
        }
    }

    // MARK: Caught errors

    private static let attempts: [(name: String, encode: @Sendable (Single) -> Void)] = [
        ("an array of numbers", { single in try? single.encode([1.0, Double.nan]) }),
        ("an array of arrays", { single in try? single.encode([[1.0], [Double.nan]]) }),
        ("a dictionary", { single in try? single.encode(["a": 1.0, "b": Double.nan]) }),
        ("a date", { single in try? single.encode(Date(timeIntervalSince1970: .nan)) }),
        ("an object", { single in try? single.encode(failing) }),
        ("a value after its only token", { single in try? single.encode(Scripted(tokenThenError)) }),
        ("a nested value", { single in try? single.encode([Scripted { _ in throw CancellationError() }]) }),
    ]

    /// A single-value container, whose functions need no variable.
    private struct Single {
        private let container: any SingleValueEncodingContainer

        init(_ container: any SingleValueEncodingContainer) { self.container = container }

        func encode(_ value: some Encodable) throws {
            var container = container
            try container.encode(value)
        }

        func encodeNil() throws {
            var container = container
            try container.encodeNil()
        }
    }

    private static let tokenThenError: Script = { encoder in
        try Single(encoder.singleValueContainer()).encode(1)
        throw CancellationError()
    }

    @Test(arguments: attempts.indices)
    func `a single value can be encoded after a failed attempt, of which nothing remains`(_ index: Int) throws {
        let (name, encode) = Self.attempts[index]
        let value = Scripted { encoder in
            let single = Single(encoder.singleValueContainer())
            encode(single)
            try single.encodeNil()
        }
        #expect(try text(value) == "null", "\(name)")
        #expect(try text([value]) == "[null]", "\(name)")
        let list = [value, Scripted { try 2.encode(to: $0) }]
        #expect(try text(["k": list, "l": list]) == #"{"k":[null,2],"l":[null,2]}"#, "\(name)")
    }

    @Test func `a failed attempt adds nothing to an object that was begun before`() throws {
        let value = Scripted { encoder in
            var object = encoder.container(keyedBy: AnyName.self)
            try object.encode(1, forKey: AnyName("a"))
            try? Single(encoder.singleValueContainer()).encode(Self.failing)
            try object.encode(2, forKey: AnyName("b"))
        }
        #expect(try text(value) == #"{"a":1,"b":2}"#)
    }

    @Test func `a container of a failed attempt cannot be used for the value that was encoded instead`() throws {
        let kept = Kept()
        let value = Scripted { encoder in
            let keeping = Scripted { encoder in
                kept.object = encoder.container(keyedBy: AnyName.self)
                throw CancellationError()
            }
            try? Single(encoder.singleValueContainer()).encode(keeping)
            #expect(throws: EncodingError.self) { try kept.object?.encode(1, forKey: AnyName("a")) }
            var array = encoder.unkeyedContainer()
            try array.encode(2)
            #expect(throws: EncodingError.self) { try kept.object?.encode(1, forKey: AnyName("a")) }
            try array.encode(3)
        }
        #expect(try text(value) == "[2,3]")
    }

    // MARK: Containers around the value

    @Test func `a value can add members to the object around it`() throws {
        let kept = Kept()
        let value = Scripted { encoder in
            kept.object = encoder.container(keyedBy: AnyName.self)
            var object = encoder.container(keyedBy: AnyName.self)
            let member = Scripted { encoder in
                try kept.object?.encode(1, forKey: AnyName("b"))
                try Single(encoder.singleValueContainer()).encode(2)
            }
            try object.encode(member, forKey: AnyName("a"))
            // Their names are compared with all earlier ones.
            for name in ["c", "b", "d", "a", "e"] { try object.encode(3, forKey: AnyName(name)) }
        }
        #expect(try text(value) == #"{"a":3,"b":3,"c":3,"d":3,"e":3}"#)
    }

    @Test func `a value that adds members to the object around it, and fails, fails the whole`() throws {
        let kept = Kept()
        let value = Scripted { encoder in
            kept.object = encoder.container(keyedBy: AnyName.self)
            var object = encoder.container(keyedBy: AnyName.self)
            let member = Scripted { _ in
                try kept.object?.encode(1, forKey: AnyName("b"))
                throw CancellationError()
            }
            try? object.encode(member, forKey: AnyName("a"))
            try object.encode(2, forKey: AnyName("c"))
        }
        #expect(throws: CancellationError.self) { try text(value) }
    }

    @Test func `a dictionary and a kept container of the same object have each name once`() throws {
        struct Value: Encodable {
            let kept: Kept
            func encode(to encoder: any Encoder) throws {
                try kept.encoder?.container(keyedBy: AnyName.self).adding(1, AnyName("b"))
                try Single(encoder.singleValueContainer()).encode(2)
            }
        }
        let kept = Kept()
        let value = Scripted { encoder in
            kept.encoder = encoder
            try Single(encoder.singleValueContainer()).encode(["a": Value(kept: kept), "b": Value(kept: kept)])
        }
        #expect(try text(value) == #"{"a":2,"b":1}"#)
    }

    @Test func `an element of an array that was closed before may be encoded late, or not at all`() throws {
        let value = Scripted { encoder in
            var outer = encoder.unkeyedContainer()
            var inner = outer.nestedUnkeyedContainer()
            try outer.encode(1)
            _ = inner.superEncoder()
            try outer.encode(2)
            let late = inner.superEncoder()
            try outer.encode(3)
            try [4, 5].encode(to: late)
        }
        #expect(try text(value) == "[[{},[4,5]],1,2,3]")
    }

    @Test func `the name of a key may be made with the same encoder`() throws {
        struct Key: CodingKey {
            let name: String
            // Keys must be sendable. One task uses them.
            nonisolated(unsafe) let write: () -> Void
            var stringValue: String {
                write()
                return name
            }
            var intValue: Int? { nil }
            init(_ name: String, write: @escaping () -> Void) { (self.name, self.write) = (name, write) }
            init?(stringValue: String) { nil }
            init?(intValue: Int) { nil }
        }
        let value = Scripted { encoder in
            var outer = encoder.container(keyedBy: AnyName.self)
            var log = outer.nestedUnkeyedContainer(forKey: AnyName("log"))
            var object = outer.nestedContainer(keyedBy: Key.self, forKey: AnyName("object"))
            func key(_ name: String) -> Key { Key(name) { try? log.encode(name) } }
            try object.encode([1], forKey: key("a"))
            try object.encode(2, forKey: key("b"))
            var array = object.nestedUnkeyedContainer(forKey: key("c"))
            try array.encode(3)
        }
        #expect(try text(value) == #"{"log":["a","b","c"],"object":{"a":[1],"b":2,"c":[3]}}"#)
    }

    // MARK: Any misbehavior

    @Test(
        "whatever types do with their encoders, the text is valid and has what was encoded, or there is an error",
        .tags(.random),
        arguments: 0..<ProofLength.count(1, full: 100)
    )
    func anything(thousand: Int) throws {
        var successCount = 0
        for number in 0..<1000 {
            let seed = ProofLength.seed(UInt64(thousand * 1000 + number))
            let run = Misbehavior(seed: seed)
            defer { run.release() }
            let encoder = Self.encoder(&run.random)
            let bytes: [UInt8]
            do { bytes = try encoder.encodeToBytes(Misbehaving(run)) } catch {
                // The layout parses the text.
                #expect(!"\(error)".contains("can't be formatted"), "seed \(seed)")
                continue
            }
            successCount += 1
            do {
                let numbers = try StrictText(bytes).numbers.map { Int($0) }.filter { $0 > 1000 }
                let found = Set(numbers)
                #expect(found.count == numbers.count, "seed \(seed): a number twice")
                #expect(
                    run.repeatsNames ? found.isSubset(of: run.expected) : found == run.expected,
                    "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
                )
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        #expect(successCount > 200)
    }

    private static func encoder(_ random: inout SeededRandom) -> HeliumJSONEncoder {
        var encoder = HeliumJSONEncoder()
        if random.oneIn(3) { encoder.keyEncodingStrategy = .convertToSnakeCase }
        if random.oneIn(3) {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "i",
                negativeInfinity: "-i",
                nan: "n"
            )
        }
        encoder.outputFormatting = random.pick([[], [], [.sortedKeys], [.prettyPrinted], [.withoutEscapingSlashes]])
        return encoder
    }
}

extension KeyedEncodingContainer {
    /// Encodes a member.
    fileprivate func adding(_ value: some Encodable, _ key: Key) throws {
        var container = self
        try container.encode(value, forKey: key)
    }
}
