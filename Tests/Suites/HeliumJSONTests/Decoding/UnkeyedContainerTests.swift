import Foundation
import HeliumJSON
import Testing

@Suite("Unkeyed containers")
struct UnkeyedContainerTests {
    private let both = SideBySide()

    @Test("an unkeyed container has each element once, with count, index and end")
    func walk() {
        let results = both.expectSameSteps(#"[1,"a",null,[2,3],{"k":4},true,5.5,"",[],{}]"#) { decoder, recorder in
            var container = try decoder.unkeyedContainer()
            func state() { recorder.step { (container.currentIndex, container.count as Any, container.isAtEnd) } }
            recorder.path(container.codingPath)
            state()
            recorder.step { try container.decode(Int.self) }
            state()
            recorder.step { try container.decode(String.self) }
            recorder.step { try container.decodeNil() }
            state()
            recorder.step {
                var nested = try container.nestedUnkeyedContainer()
                return (
                    nested.codingPath.map { Failure.step($0) }, nested.count as Any, try nested.decode(Int.self),
                    try nested.decode(Int.self), nested.isAtEnd, nested.currentIndex
                )
            }
            state()
            recorder.step {
                let nested = try container.nestedContainer(keyedBy: NameKey.self)
                return (nested.codingPath.map { Failure.step($0) }, try nested.decode(Int.self, forKey: "k"))
            }
            recorder.step { try container.superDecoder().singleValueContainer().decode(Bool.self) }
            recorder.step { try container.decodeNil() }
            recorder.step { try container.decode(Double.self) }
            recorder.step { try container.decodeIfPresent(String.self) as Any }
            recorder.step { try container.decode([Int].self) }
            recorder.step { try container.decode([String: Int].self) }
            state()
            // Beyond the end.
            recorder.step { try container.decode(Int.self) }
            recorder.step { try container.decode([Int].self) }
            recorder.step { try container.decodeNil() }
            recorder.step { try container.nestedUnkeyedContainer() }
            recorder.step { try container.nestedContainer(keyedBy: NameKey.self) }
            recorder.step { try container.superDecoder() }
            state()
            // After which Foundation's index is beyond its count.
            recorder.step { try container.decodeIfPresent(Int.self) as Any }
        }
        #expect(results.count > 20)
    }

    @Test("an element that fails stays the next one to decode")
    func staysOnFailure() {
        both.expectSameSteps(#"["x",null,{"a":"b"},[null],7]"#) { decoder, recorder in
            var container = try decoder.unkeyedContainer()
            func state() { recorder.step { (container.currentIndex, container.isAtEnd) } }
            recorder.step { try container.decode(Int.self) }
            recorder.step { try container.decode(Bool.self) }
            recorder.step { try container.decode([Int].self) }
            recorder.step { try container.decodeNil() }
            recorder.step { try container.decodeIfPresent(Int.self) as Any }
            recorder.step { try container.nestedUnkeyedContainer() }
            recorder.step { try container.nestedContainer(keyedBy: NameKey.self) }
            state()
            recorder.step { try container.decode(String.self) }
            recorder.step { try container.decode(Int.self) }
            recorder.step { try container.nestedUnkeyedContainer() }
            recorder.step { try container.nestedContainer(keyedBy: NameKey.self) }
            state()
            recorder.step { try container.decodeIfPresent(Int.self) as Any }
            state()
            recorder.step { try container.decode([String: Int].self) }
            recorder.step { try container.decode([String: String].self) }
            recorder.step { try container.decode([Int].self) }
            recorder.step { try container.decode([Int?].self) }
            state()
            recorder.step { try container.superDecoder().container(keyedBy: NameKey.self) }
            state()
        }
    }

    @Test("every scalar type is decoded from every kind of element as by Foundation")
    func scalars() {
        func check<Value: Decodable & Equatable & Sendable>(_ type: Value.Type) {
            for element in ["1", "300", "-1", "1.5", "\"a\"", "true", "null", "[]", "{}", "[1]", "1e999"] {
                both.expectSameSteps("[\(element)]") { decoder, recorder in
                    var container = try decoder.unkeyedContainer()
                    recorder.step { try container.decode(type) }
                    recorder.step { container.currentIndex }
                    var second = try decoder.unkeyedContainer()
                    recorder.step { try second.decodeIfPresent(type) as Any }
                    recorder.step { second.currentIndex }
                    recorder.step { try second.decodeIfPresent(type) as Any }
                }
                both.expectSame([Value].self, "[\(element)]")
                both.expectSame([Value?].self, "[\(element)]")
                both.expectSame([[Value]].self, "[[],[\(element)]]")
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
        check(URL.self)
    }

    @Test("the methods of an unkeyed container for each scalar type decode that type")
    func namedMethods() {
        for element in ["1", "300", "\"a\"", "true", "null"] {
            both.expectSameSteps("[\(element),0]") { decoder, recorder in
                func at(_ read: (inout any UnkeyedDecodingContainer) throws -> Any) {
                    recorder.step {
                        var container = try decoder.unkeyedContainer()
                        return (try? read(&container), container.currentIndex)
                    }
                }
                at { try $0.decode(Bool.self) }
                at { try $0.decode(String.self) }
                at { try $0.decode(Double.self) }
                at { try $0.decode(Float.self) }
                at { try $0.decode(Int.self) }
                at { try $0.decode(Int8.self) }
                at { try $0.decode(Int16.self) }
                at { try $0.decode(Int32.self) }
                at { try $0.decode(Int64.self) }
                at { try $0.decode(Int128.self) }
                at { try $0.decode(UInt.self) }
                at { try $0.decode(UInt8.self) }
                at { try $0.decode(UInt16.self) }
                at { try $0.decode(UInt32.self) }
                at { try $0.decode(UInt64.self) }
                at { try $0.decode(UInt128.self) }
                at { try $0.decodeIfPresent(Bool.self) as Any }
                at { try $0.decodeIfPresent(String.self) as Any }
                at { try $0.decodeIfPresent(Int.self) as Any }
                at { try $0.decodeIfPresent(Double.self) as Any }
            }
        }
    }

    @Test("arrays that drop failing elements keep the others")
    func lossy() {
        both.expectSame(Lossy<Int>.self, #"[1,"a",null,2,[3],{"x":4},5.5,6]"#)
        both.expectSame(Lossy<[Int]>.self, #"[[1],[2,"a"],null,[],{},[3]]"#)
        both.expectSame(LossyBySuper<Int>.self, #"[1,"a",null,2,[3],{"x":4},5.5,6]"#)
        both.expectSame(Lossy<Pair>.self, #"[{"a":1,"b":2},{"a":1},{"b":2,"a":"x"},{"b":3,"a":4}]"#)
    }

    private struct Pair: Decodable, Equatable { var a: Int, b: Int }

    private struct Lossy<Element: Decodable & Equatable>: Decodable, Equatable {
        private struct Skipped: Decodable {}
        var elements: [Element] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if let element = try? container.decode(Element.self) {
                    elements.append(element)
                } else {
                    _ = try container.decode(Skipped.self)
                }
            }
        }
    }

    private struct LossyBySuper<Element: Decodable & Equatable>: Decodable, Equatable {
        var elements: [Element?] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { elements.append(try? Element(from: container.superDecoder())) }
        }
    }
}
