import Foundation
import HeliumJSON
import Testing

@Suite("HeliumJSONEncoder: errors")
struct EncoderErrorTests {
    private struct Outer<Value: Encodable>: Encodable {
        var before = 1
        var list: [[String: Inner]]

        init(_ value: Value) { list = [[:], ["a \"name\"/": Inner(theValue: value)]] }

        struct Inner: Encodable { var theValue: Value }
    }

    private struct Temperature: Encodable {
        func encode(to encoder: any Encoder) throws { try Float.nan.encode(to: encoder) }
    }

    private func path(of error: (any Error)?) -> [String]? {
        guard case .invalidValue(_, let context) = error as? EncodingError else { return nil }
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private func error(
        _ value: some Encodable,
        _ configure: (inout HeliumJSONEncoder) -> Void = { _ in }
    ) -> (any Error)? {
        #expect(throws: (any Error).self) { try text(value, configure) }
    }

    static let invalid: [any Encodable & Sendable] = [
        Double.nan, Double.infinity, -Float.infinity, Decimal.nan, Date(timeIntervalSince1970: .nan),
        Date(timeIntervalSince1970: .infinity), Double?.some(.nan), Temperature(),
    ]

    @Test(arguments: invalid.indices)
    func `an encoding error has the path to a value that JSON cannot hold`(_ index: Int) throws {
        func check(_ value: some Encodable) {
            #expect(path(of: error(value)) == [])
            #expect(path(of: error(Outer(value))) == ["list", "1", "a \"name\"/", "theValue"])
            #expect(path(of: error([value])) == ["0"])
            let snakes = error(Outer(value)) { $0.keyEncodingStrategy = .convertToSnakeCase }
            #expect(path(of: snakes) == ["list", "1", "a \"name\"/", "theValue"])
        }
        check(Self.invalid[index])
    }

    @Test func `an encoding error has the path to an element of any array`() throws {
        struct Model: Encodable { var list = [0, 1, Double.nan] }
        #expect(path(of: error(Model())) == ["list", "2"])
        #expect(path(of: error([[Float.nan]])) == ["0", "0"])
        #expect(path(of: error(ContiguousArray([1, Double.nan]))) == ["1"])
        #expect(path(of: error([Date(timeIntervalSince1970: .nan)])) == ["0"])
        let date = Date(timeIntervalSince1970: 1e306)
        #expect(path(of: error([date]) { $0.dateEncodingStrategy = .millisecondsSince1970 }) == ["0"])
    }

    @Test func `a value that encodes nothing is an error of the encoder`() throws {
        #expect(path(of: error(Scripted { _ in })) == [])
        #expect(path(of: error(Scripted { _ = $0.singleValueContainer() })) == [])
        // As in Foundation's encoder, this one is something.
        #expect(try text(Optional(Scripted { _ in })) == "{}")
        #expect(try foundationText(Optional(Scripted { _ in })) == "{}")
    }

    @Test func `errors of encoded types are thrown unchanged`() throws {
        #expect(throws: CancellationError.self) { try text([Scripted { _ in throw CancellationError() }]) }
    }

    @Test func `every encoder and container has its coding path`() throws {
        func names(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
        }
        for strategy: HeliumJSONEncoder.KeyEncodingStrategy in [.useDefaultKeys, .convertToSnakeCase] {
            let value = Scripted { encoder in
                #expect(names(encoder.codingPath) == "0/kK")
                var top = encoder.container(keyedBy: AnyName.self)
                #expect(names(top.codingPath) == "0/kK")
                try top.encode(0, forKey: AnyName("x"))
                var list = top.nestedUnkeyedContainer(forKey: AnyName("aB"))
                #expect(names(list.codingPath) == "0/kK/aB")
                try list.encode(1)
                let object = list.nestedContainer(keyedBy: AnyName.self)
                #expect(names(object.codingPath) == "0/kK/aB/1")
                #expect(names(list.superEncoder().codingPath) == "0/kK/aB/2")
                #expect(names(top.superEncoder().codingPath) == "0/kK/super")
                #expect(names(top.superEncoder(forKey: AnyName("s")).codingPath) == "0/kK/s")
                #expect(names(object.codingPath) == "0/kK/aB/1")
                try list.encode(Scripted { #expect(names($0.singleValueContainer().codingPath) == "0/kK/aB/3") })
            }
            let model = [
                Scripted { encoder in
                    var container = encoder.container(keyedBy: AnyName.self)
                    try container.encode(value, forKey: AnyName("kK"))
                }
            ]
            _ = try text(model) { $0.keyEncodingStrategy = strategy }
        }
    }

    // MARK: Misuse, which Foundation's encoder traps on

    static let misuses: [@Sendable (any Encoder) throws -> Void] = [
        { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            try single.encode(2)
        },
        { encoder in
            _ = encoder.container(keyedBy: AnyName.self)
            _ = encoder.unkeyedContainer()
        },
        { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            var container = encoder.container(keyedBy: AnyName.self)
            try container.encode(1, forKey: AnyName("a"))
        },
        { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var single = encoder.singleValueContainer()
            try single.encode(2)
        },
        { encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            try container.encode(1, forKey: AnyName("a"))
            _ = container.nestedUnkeyedContainer(forKey: AnyName("a"))
        },
        { encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            _ = container.nestedContainer(keyedBy: AnyName.self, forKey: AnyName("a"))
            var list = container.nestedUnkeyedContainer(forKey: AnyName("a"))
            _ = list.nestedUnkeyedContainer()
            _ = list.superEncoder().unkeyedContainer()
        },
    ]

    @Test(arguments: misuses.indices)
    func `encoding two values into one place is an error`(_ index: Int) throws {
        #expect(path(of: error([Scripted(Self.misuses[index])]))?.first == "0")
    }

    @Test func `an encoding container that outlives its value is an error`() throws {
        nonisolated(unsafe) var kept: KeyedEncodingContainer<AnyName>?
        nonisolated(unsafe) var keptEncoder: (any Encoder)?
        let keeper = Scripted { encoder in
            kept = encoder.container(keyedBy: AnyName.self)
            keptEncoder = encoder
        }
        #expect(try text([keeper]) == "[{}]")
        #expect(throws: EncodingError.self) { try kept?.encode(1, forKey: AnyName("a")) }
        #expect(throws: EncodingError.self) { try 1.encode(to: try #require(keptEncoder)) }
        #expect(keptEncoder?.codingPath.count == 0)

        let late = Scripted { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(keeper)
            try list.encode(["b": 1])
            #expect(throws: EncodingError.self) { try kept?.encode(1, forKey: AnyName("a")) }
            try list.encode(2)
        }
        #expect(try text(late) == #"[{},{"b":1},2]"#)
    }

    // MARK: Depth

    private struct Deep: Encodable {
        enum Way { case member, element, single, nested, superEncoder, optional }

        var level: Int
        var way: Way

        func encode(to encoder: any Encoder) throws {
            guard level > 0 else {
                var container = encoder.singleValueContainer()
                return try container.encode(0)
            }
            let inner = Deep(level: level - 1, way: way)
            switch way {
            case .member:
                var container = encoder.container(keyedBy: AnyName.self)
                try container.encode(inner, forKey: AnyName("a"))
            case .element:
                var container = encoder.unkeyedContainer()
                try container.encode(inner)
            case .single:
                var container = encoder.singleValueContainer()
                try container.encode(inner)
            case .nested:
                var container = encoder.unkeyedContainer()
                var nested = container.nestedUnkeyedContainer()
                try nested.encode([inner])
            case .superEncoder:
                var container = encoder.unkeyedContainer()
                try inner.encode(to: container.superEncoder())
            case .optional:
                var container = encoder.unkeyedContainer()
                try container.encode(Optional(inner))
            }
        }
    }

    @Test(arguments: [Deep.Way.member, .element, .single, .nested, .optional])
    private func `a type that nests without end is an error`(_ way: Deep.Way) throws {
        #expect(path(of: error(Deep(level: 100_000, way: way))) != nil)
    }

    @Test func `an encoder nests as deeply as the decoder reads`() throws {
        for way in [Deep.Way.member, .element, .superEncoder, .optional] {
            for formatting: HeliumJSONEncoder.OutputFormatting in [[], .sortedKeys] {
                let deepest = try text(Deep(level: 512, way: way)) { $0.outputFormatting = formatting }
                #expect(throws: Never.self) { try HeliumJSONDecoder().decode(Anything.self, from: deepest) }
                #expect(throws: EncodingError.self) {
                    try text(Deep(level: 513, way: way)) { $0.outputFormatting = formatting }
                }
            }
        }
    }

    private struct Anything: Decodable { init(from decoder: any Decoder) {} }
}
