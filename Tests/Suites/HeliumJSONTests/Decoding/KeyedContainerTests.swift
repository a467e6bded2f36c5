import Foundation
import HeliumJSON
import Testing

@Suite("Keyed containers")
struct KeyedContainerTests {
    private let both = SideBySide()
    private static let object = """
        {"int":1,"float":2.5,"text":"t","true":true,"false":false,"null":null,"array":[1,null,"x"],
         "object":{"a":1,"b":{"c":[{"d":null}]}},"large":300,"minus":-1,"":"empty","é":"e","a\\nb":"escaped"}
        """

    @Test("every scalar type is decoded from every kind of member as by Foundation")
    func scalars() {
        func check<Value: Decodable & Equatable & Sendable>(_ type: Value.Type) {
            both.expectSameSteps(Self.object) { decoder, recorder in
                let container = try decoder.container(keyedBy: NameKey.self)
                for name in [
                    "int", "float", "text", "true", "null", "array", "object", "large", "minus", "", "none", "é",
                    "a\nb",
                ] {
                    let key = NameKey(stringValue: name)
                    recorder.step { try container.decode(type, forKey: key) }
                    recorder.step { try container.decodeIfPresent(type, forKey: key) as Any }
                    recorder.step { try container.decode(Optional<Value>.self, forKey: key) as Any }
                    recorder.step { try container.decodeIfPresent(Optional<Value>.self, forKey: key) as Any }
                    recorder.step { try container.decode([Value].self, forKey: key) as Any }
                }
            }
        }
        check(Bool.self)
        check(String.self)
        check(Double.self)
        check(Float.self)
        check(Int.self)
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(Int64.self)
        check(Int128.self)
        check(UInt.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
        check(UInt128.self)
        check(Date.self)
        check(Data.self)
        check(URL.self)
        check(Decimal.self)
        check(UUID.self)
        check([String: Int].self)
        check(Set<Int>.self)
        check(Wrapped<Int>.self)
        check(Wrapped<String?>.self)
    }

    private struct Wrapped<Value: Decodable & Equatable & Sendable>: Decodable, Equatable { var a: Value }

    /// The named methods of the protocol, which generic code does not call.
    @Test("the methods of a keyed container for each scalar type decode that type")
    func namedMethods() {
        both.expectSameSteps(Self.object) { decoder, recorder in
            let container = try decoder.container(keyedBy: NameKey.self)
            for key: NameKey in ["int", "true", "text", "null", "none", "large", "minus"] {
                recorder.step { try container.decode(Bool.self, forKey: key) }
                recorder.step { try container.decode(String.self, forKey: key) }
                recorder.step { try container.decode(Double.self, forKey: key) }
                recorder.step { try container.decode(Float.self, forKey: key) }
                recorder.step { try container.decode(Int.self, forKey: key) }
                recorder.step { try container.decode(Int8.self, forKey: key) }
                recorder.step { try container.decode(Int16.self, forKey: key) }
                recorder.step { try container.decode(Int32.self, forKey: key) }
                recorder.step { try container.decode(Int64.self, forKey: key) }
                recorder.step { try container.decode(Int128.self, forKey: key) }
                recorder.step { try container.decode(UInt.self, forKey: key) }
                recorder.step { try container.decode(UInt8.self, forKey: key) }
                recorder.step { try container.decode(UInt16.self, forKey: key) }
                recorder.step { try container.decode(UInt32.self, forKey: key) }
                recorder.step { try container.decode(UInt64.self, forKey: key) }
                recorder.step { try container.decode(UInt128.self, forKey: key) }
                recorder.step { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(String.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Double.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Float.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int8.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int16.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int32.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int64.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(Int128.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt8.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt16.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt32.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt64.self, forKey: key) as Any }
                recorder.step { try container.decodeIfPresent(UInt128.self, forKey: key) as Any }
            }
        }
    }

    @Test("a keyed container has contains, decodeNil and all keys")
    func members() {
        let results = both.expectSameSteps(Self.object) { decoder, recorder in
            let container = try decoder.container(keyedBy: NameKey.self)
            for key: NameKey in ["int", "null", "none", "", "é", "a\nb", "a\\nb", "object", "INT", "in"] {
                recorder.step { container.contains(key) }
                recorder.step { try container.decodeNil(forKey: key) }
            }
            recorder.step { container.allKeys.map(\.stringValue).sorted() }
            let few = try decoder.container(keyedBy: Few.self)
            recorder.step { few.allKeys.map(\.stringValue).sorted() }
            recorder.step { few.contains(.none) }
            recorder.step { try few.decode(Int.self, forKey: .int) }
            recorder.step { try few.decode(Int.self, forKey: .none) }
        }
        #expect(
            results.compactMap(\.value).contains(
                #"["", "a\nb", "array", "false", "float", "int", "large", "minus", "null", "object", "text", "true", "é"]"#
            )
        )
    }

    private enum Few: String, CodingKey { case int, none, text = "text" }

    @Test("nested containers of every kind have their paths")
    func nested() {
        both.expectSameSteps(Self.object) { decoder, recorder in
            let container = try decoder.container(keyedBy: NameKey.self)
            recorder.path(decoder.codingPath)
            recorder.path(container.codingPath)
            for key: NameKey in ["object", "array", "null", "none", "int", "text"] {
                recorder.step {
                    let nested = try container.nestedContainer(keyedBy: NameKey.self, forKey: key)
                    return (nested.codingPath.map { Failure.step($0) }, nested.allKeys.map(\.stringValue).sorted())
                }
                recorder.step {
                    var nested = try container.nestedUnkeyedContainer(forKey: key)
                    return (
                        nested.codingPath.map { Failure.step($0) }, nested.count as Any, try nested.decode(Int.self),
                        nested.currentIndex
                    )
                }
            }
            let object = try container.nestedContainer(keyedBy: NameKey.self, forKey: "object")
            let deeper = try object.nestedContainer(keyedBy: NameKey.self, forKey: "b")
            var array = try deeper.nestedUnkeyedContainer(forKey: "c")
            recorder.path(array.codingPath)
            let last = try array.nestedContainer(keyedBy: NameKey.self)
            recorder.path(last.codingPath)
            recorder.step { try last.decodeNil(forKey: "d") }
            recorder.step { try last.decode(Int.self, forKey: "d") }
            recorder.step { try last.decode(Int.self, forKey: "e") }
            recorder.step { try last.nestedContainer(keyedBy: NameKey.self, forKey: "d") }
            recorder.step { try array.decode(Int.self) }
            recorder.step { try array.decodeNil() }
        }
    }

    @Test(
        "a top-level container of the wrong kind is an error",
        arguments: ["1", "null", "\"a\"", "true", "[]", "{}", "1.5"]
    )
    func top(document: String) {
        both.expectSameSteps(document) { decoder, recorder in
            recorder.step { try decoder.container(keyedBy: NameKey.self).allKeys.count }
            recorder.step { try decoder.unkeyedContainer().count as Any }
            let single = try decoder.singleValueContainer()
            recorder.path(single.codingPath)
            recorder.step { single.decodeNil() }
            recorder.step { try single.decode(Int.self) }
            recorder.step { try single.decode(String.self) }
            recorder.step { try single.decode(Bool.self) }
            recorder.step { try single.decode(Double.self) }
            recorder.step { try single.decode([Int].self) }
            recorder.step { try single.decode([String: Int].self) }
            recorder.step { try single.decode(Optional<Int>.self) as Any }
        }
    }

    @Test("keys with numbers are decoded, as of dictionaries by number")
    func numbers() {
        both.expectSameSteps(#"{"1":"a","02":"b","x":"c","-3":"d"}"#) { decoder, recorder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            recorder.step { container.allKeys.compactMap(\.intValue).sorted() }
            recorder.step { try container.decode(String.self, forKey: AnyKey(intValue: 1)) }
            recorder.step { try container.decode(String.self, forKey: AnyKey(intValue: 2)) }
            recorder.step { try container.decode(String.self, forKey: AnyKey(intValue: -3)) }
            recorder.step { try container.decode(String.self, forKey: "x") }
        }
    }

    /// Foundation compares them as strings, for which `é` of one scalar and of two are equal.
    @Test("names of members are compared by their bytes")
    func sameBytes() throws {
        let decoder = HeliumJSONDecoder()
        struct Accented: Decodable { var é: Int }
        #expect(try decoder.decode(Accented.self, from: "{\"e\u{301}\":1,\"\u{E9}\":2}").é == 2)
        #expect(throws: DecodingError.self) { try decoder.decode(Accented.self, from: "{\"e\u{301}\":1}") }
        let many = (0..<100).map { "\"k\($0)\":0," }.joined()
        #expect(throws: DecodingError.self) { try decoder.decode(Accented.self, from: "{\(many)\"e\u{301}\":1}") }
        #expect(try decoder.decode(Accented.self, from: "{\(many)\"e\u{301}\":1,\"\u{E9}\":2}").é == 2)
        struct Kelvin: Decodable { var K: Int? }
        #expect(try decoder.decode(Kelvin.self, from: "{\"\u{212A}\":1}").K == nil)
        #expect(try decoder.decode(Kelvin.self, from: "{\"\u{212A}\":1,\"K\":2}").K == 2)
    }

    @Test("the second member of one name is not decoded")
    func secondMember() throws {
        let document = #"{"a":1,"a":"x","b":2,"b":1e999}"#
        #expect(try HeliumJSONDecoder().decode([String: Int].self, from: document) == ["a": 1, "b": 2])
        #expect(try HeliumJSONDecoder().decode([String: Double].self, from: document) == ["a": 1, "b": 2])
        #expect(try HeliumJSONDecoder().decode([String: Set<Int>?].self, from: #"{"a":[1],"a":2}"#) == ["a": [1]])
    }
}
