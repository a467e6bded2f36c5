import HeliumJSON
import TestSupport
import Testing

/// Ten times the members must not take a hundred times the work.
///
/// What ten times the work takes is measured in the same run, as processor time: the best of some attempts.
@Suite("Cost of decoding", .serialized)
struct CostTests {
    private func expectLinear(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ document: (Int) -> String,
        _ decode: (HeliumJSONDecoder, [UInt8]) throws -> Int
    ) throws {
        // Both are longer than what is searched before there is an index.
        let (small, large) = (1000, 10_000)
        let documents = [small, large].map { Array(document($0).utf8) }
        var best = Double.infinity
        for _ in 0..<5 where best >= 40 {
            let times = try zip([small, large], documents).map { count, bytes in
                var read = 0
                let time = try processorTime { read = try decode(HeliumJSONDecoder(), bytes) }
                #expect(read == count, sourceLocation: sourceLocation)
                return time
            }
            best = min(best, times[1] / times[0])
        }
        // Ten, were it not for caches; a hundred if it were quadratic.
        #expect(best < 40, sourceLocation: sourceLocation)
    }

    private func object(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":{\"a\":\($0)}" }.joined(separator: ",") + "}"
    }
    private func array(_ count: Int) -> String {
        "[" + (0..<count).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
    }

    private struct Inner: Decodable, Equatable { var a: Int }
    private struct Wrong: Decodable { var a: String }

    @Test("decoding a dictionary of many members takes linear time")
    func dictionary() throws {
        try expectLinear(object) { try $0.decode([String: Inner].self, from: $1).count }
        try expectLinear(object) { try $0.decode([NameKeyed: Inner].self, from: $1).count }
    }

    private struct NameKeyed: Hashable, Decodable, CodingKeyRepresentable {
        let name: String
        var codingKey: any CodingKey { NameKey(stringValue: name) }
        init?(codingKey: some CodingKey) { name = codingKey.stringValue }
        init(from decoder: any Decoder) throws { name = try String(from: decoder) }
    }

    /// Reads each member by its key; backwards, or all but the last in order, objects in between.
    private struct Keyed: Decodable {
        var count = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NameKey.self)
            for key in container.allKeys { if try container.decode(Inner.self, forKey: key).a >= 0 { count += 1 } }
        }
    }

    private struct Backwards: Decodable {
        var count = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NameKey.self)
            for key in container.allKeys.reversed() {
                if try container.decode(Inner.self, forKey: key).a >= 0 { count += 1 }
            }
        }
    }

    private struct Misses: Decodable {
        var count = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NameKey.self)
            for key in container.allKeys where !container.contains(NameKey(stringValue: "no" + key.stringValue)) {
                count += 1
            }
        }
    }

    private struct Failures: Decodable {
        var count = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NameKey.self)
            for key in container.allKeys.reversed() where (try? container.decode(Wrong.self, forKey: key)) == nil {
                count += 1
            }
        }
    }

    @Test("decoding the members of one object in any order takes linear time")
    func keyed() throws {
        try expectLinear(object) { try $0.decode(Keyed.self, from: $1).count }
        try expectLinear(object) { try $0.decode(Backwards.self, from: $1).count }
        try expectLinear(object) { try $0.decode(Misses.self, from: $1).count }
    }

    @Test("decoding members that fail, backwards, takes linear time")
    func failingMembers() throws {
        try expectLinear(object) { try $0.decode(Failures.self, from: $1).count }
    }

    @Test("decoding elements that fail one by one takes linear time")
    func failingElements() throws {
        try expectLinear(array) { try $0.decode(Lossy.self, from: $1).count }
        let depth = 40
        try expectLinear({
            String(repeating: "[", count: depth) + array($0) + String(repeating: "]", count: depth)
        }) { decoder, bytes in
            try decoder.decode(Deep.self, from: bytes).count
        }
    }

    private struct Lossy: Decodable {
        private struct Skipped: Decodable {}
        var count = 0
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if (try? container.decode(Wrong.self)) == nil { count += 1 }
                _ = try container.decode(Skipped.self)
            }
        }
    }

    /// An array in an array in an array.
    private struct Deep: Decodable {
        var count = 0
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            if var inner = try? container.nestedUnkeyedContainer() {
                while let next = try? inner.nestedUnkeyedContainer() { inner = next }
                while !inner.isAtEnd {
                    if (try? inner.decode(Wrong.self)) == nil { count += 1 }
                    _ = try inner.decode(Inner.self)
                }
            }
        }
    }

    @Test("the count of an array is computed in linear time")
    func counts() throws {
        struct Counted: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while container.currentIndex < container.count ?? 0 {
                    _ = try container.nestedContainer(keyedBy: NameKey.self)
                    sum += 1
                }
            }
        }
        try expectLinear(array) { try $0.decode(Counted.self, from: $1).sum }
    }

    @Test("repeated members are refused in linear time")
    func duplicates() throws {
        try expectLinear(object) {
            var decoder = $0
            decoder.limits.duplicateMembers = .refused
            return try decoder.decode([String: Inner].self, from: $1).count
        }
    }
}
