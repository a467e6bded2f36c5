import Foundation
import TestSupport

// Types of the kinds that models are made of, each generic over what it holds.

enum Color: String, Codable, Sample {
    case red, green, blue = "deep blue"
    static func write(_ writer: inout DocumentWriter) {
        writer.string(writer.random.pick(["red", "green", "deep blue", "red", "yellow"]))
    }
}

enum Level: Int, Codable, Sample {
    case low = 1, high = 200
    static func write(_ writer: inout DocumentWriter) {
        writer.put(writer.random.pick(["1", "200", "1.0", "2e2", "1", "3"]))
    }
}

struct Pair<A: Sample, B: Sample>: Decodable, Sample {
    var first: A
    var secondValue: B

    static func write(_ writer: inout DocumentWriter) { writer.object([A.member("first"), B.member("secondValue")]) }
    static var isOrdered: Bool { A.isOrdered && B.isOrdered }
    func isSame(as other: Self) -> Bool { first.isSame(as: other.first) && secondValue.isSame(as: other.secondValue) }
}

struct Record<A: Sample, B: Sample, C: Sample>: Decodable, Sample {
    struct Inner: Decodable, Equatable {
        var b: B?
        var list: [A]
    }

    var userID: A
    var createdAt: Date?
    var inner: Inner
    var c: C?
    var counts: [String: Int]?

    /// Of `user_id` snake case makes `userId`.
    private enum CodingKeys: String, CodingKey { case userID = "userId", createdAt, inner, c, counts }

    static func write(_ writer: inout DocumentWriter) {
        writer.object([
            A.member("userId"), Date?.member("createdAt"),
            ("inner", { $0.object([B.member("b"), [A].member("list")]) }), C?.member("c"),
            [String: Int]?.member("counts"),
        ])
    }
    static var isOrdered: Bool { false }
    func isSame(as other: Self) -> Bool {
        userID.isSame(as: other.userID) && createdAt.isSame(as: other.createdAt) && c.isSame(as: other.c)
            && inner.b.isSame(as: other.inner.b) && inner.list.isSame(as: other.inner.list) && counts == other.counts
    }
}

/// Every scalar type.
struct Scalars: Decodable, Sample {
    var bool: Bool, string: String, double: Double, float: Float, int: Int, int8: Int8, int16: Int16, int32: Int32
    var int64: Int64, uint: UInt, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
    var date: Date?, data: Data?, url: URL?, decimal: Decimal?, uuid: UUID?

    static func write(_ writer: inout DocumentWriter) {
        writer.object([
            Bool.member("bool"), String.member("string"), Double.member("double"), Float.member("float"),
            Int.member("int"), Int8.member("int8"), Int16.member("int16"), Int32.member("int32"), Int64.member("int64"),
            UInt.member("uint"), UInt8.member("uint8"), UInt16?.member("uint16"), UInt32?.member("uint32"),
            UInt64?.member("uint64"), Date.member("date"), Data.member("data"), URL?.member("url"),
            Decimal.member("decimal"), UUID?.member("uuid"),
        ])
    }
    func isSame(as other: Self) -> Bool {
        // A NaN is no other's equal.
        double.isSame(as: other.double) && float.isSame(as: other.float)
            && (self == other || double.isNaN || float.isNaN)
    }
}

enum Shape<A: Sample, B: Sample>: Decodable, Sample {
    case none
    case one(A)
    case both(left: A, right: B?)
    indirect case list([Shape])

    static func write(_ writer: inout DocumentWriter) { write(&writer, depth: 2) }

    private static func write(_ writer: inout DocumentWriter, depth: Int) {
        switch writer.random.below(depth > 0 ? 4 : 3) {
        case 0: writer.object([("none", { $0.object([]) })])
        case 1: writer.object([("one", { $0.object([A.member("_0")]) })])
        case 2: writer.object([("both", { $0.object([A.member("left"), B.member("right")]) })])
        default:
            writer.object([
                ("list", { $0.object([("_0", { $0.array(2) { writer, _ in write(&writer, depth: depth - 1) } })]) })
            ])
        }
    }
    static var isOrdered: Bool { A.isOrdered && B.isOrdered }
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.none, .none): true
        case (.one(let value), .one(let other)): value.isSame(as: other)
        case (.both(let a, let b), .both(let c, let d)): a.isSame(as: c) && b.isSame(as: d)
        case (.list(let list), .list(let other)): list.elementsEqual(other) { $0.isSame(as: $1) }
        default: false
        }
    }
}

/// Reads its members from the last to the first, and looks at what else there is.
struct Backwards<A: Sample, B: Sample>: Decodable, Sample {
    var a: A?
    var b: B
    var hasA: Bool
    var isNull: Bool
    var names: Set<String>

    private enum CodingKeys: CodingKey { case a, b, none, longName }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decode(B.self, forKey: .b)
        hasA = container.contains(.a)
        isNull = hasA ? try container.decodeNil(forKey: .a) : false
        a = try container.decodeIfPresent(A.self, forKey: .a)
        names = Set(container.allKeys.map(\.stringValue))
        _ = try container.decodeIfPresent(String.self, forKey: .none)
    }

    static func write(_ writer: inout DocumentWriter) {
        writer.object([A?.member("a"), B.member("b"), String.member("longName")])
    }
    static var isOrdered: Bool { A.isOrdered && B.isOrdered }
    func isSame(as other: Self) -> Bool {
        a.isSame(as: other.a) && b.isSame(as: other.b) && hasA == other.hasA && isNull == other.isNull
            && names == other.names
    }
}

/// An array of two kinds, by nested containers and the decoder of a super class.
struct Tuple<A: Sample, B: Sample>: Decodable, Sample {
    var a: A
    var b: B?
    var nested: [A]
    var rest: Int

    private enum CodingKeys: CodingKey { case list }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        a = try container.decode(A.self)
        // At the end Foundation would count the element that is missing.
        b = container.isAtEnd ? nil : try container.decodeIfPresent(B.self)
        var inner = try container.nestedContainer(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .list)
        nested = []
        while !inner.isAtEnd { nested.append(try A(from: inner.superDecoder())) }
        rest = (container.count ?? -1) - container.currentIndex
    }

    static func write(_ writer: inout DocumentWriter) {
        let count = 3 + writer.random.below(2)
        writer.array(writer.random.oneIn(20) ? 2 : count) { writer, index in
            switch index {
            case 0: A.write(&writer)
            case 1: B?.write(&writer)
            default: writer.object([[A].member("list")])
            }
        }
    }
    static var isOrdered: Bool { A.isOrdered && B.isOrdered }
    func isSame(as other: Self) -> Bool {
        a.isSame(as: other.a) && b.isSame(as: other.b) && nested.isSame(as: other.nested) && rest == other.rest
    }
}

/// The elements that can be read.
struct Lossy<A: Sample>: Decodable, Sample {
    private struct Skipped: Decodable {}
    var elements: [A]
    var failures: Int

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (elements, failures) = ([], 0)
        while !container.isAtEnd {
            do {
                elements.append(try container.decode(A.self))
            } catch {
                failures += 1
                _ = try container.decode(Skipped.self)
            }
        }
    }

    static func write(_ writer: inout DocumentWriter) { [A].write(&writer) }
    func isSame(as other: Self) -> Bool { elements.isSame(as: other.elements) && failures == other.failures }
}

/// One or the other.
enum Either<A: Sample, B: Sample>: Decodable, Sample {
    case a(A)
    case b(B)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(A.self) {
            self = .a(value)
        } else {
            self = .b(try container.decode(B.self))
        }
    }

    static func write(_ writer: inout DocumentWriter) {
        writer.asOneOfTwo(isSecond: !writer.random.oneIn(2)) { $1 ? B.write(&$0) : A.write(&$0) }
    }
    static var isOrdered: Bool { B.isOrdered }
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.a(let value), .a(let other)): value.isSame(as: other)
        case (.b(let value), .b(let other)): value.isSame(as: other)
        default: false
        }
    }
}

/// A class and its super class, whose members are of the same object or of the member `super`.
class Parent<A: Sample>: Decodable {
    let shared: A
    private enum CodingKeys: CodingKey { case shared }
    required init(from decoder: any Decoder) throws {
        shared = try decoder.container(keyedBy: CodingKeys.self).decode(A.self, forKey: .shared)
    }
}

final class Child<A: Sample, B: Sample>: Parent<A>, Sample {
    let own: B?
    let isFlat: Bool
    private enum CodingKeys: CodingKey { case own, isFlat }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        own = try container.decodeIfPresent(B.self, forKey: .own)
        isFlat = try container.decodeIfPresent(Bool.self, forKey: .isFlat) ?? false
        try super.init(from: isFlat ? decoder : container.superDecoder())
    }

    static func == (left: Child, right: Child) -> Bool { left.isSame(as: right) }

    static func write(_ writer: inout DocumentWriter) {
        if writer.random.oneIn(2) {
            writer.object([B?.member("own"), ("isFlat", { $0.put("true") }), A.member("shared")])
        } else {
            writer.object([B?.member("own"), ("super", { $0.object([A.member("shared")]) })])
        }
    }
    static var isOrdered: Bool { A.isOrdered && B.isOrdered }
    func isSame(as other: Child) -> Bool {
        shared.isSame(as: other.shared) && own.isSame(as: other.own) && isFlat == other.isFlat
    }
}

/// A value that is its raw value.
struct Raw<A: Sample>: Decodable, Sample, RawRepresentable where A: Decodable {
    var rawValue: A
    init(rawValue: A) { self.rawValue = rawValue }
    init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(A.self) }
    static func write(_ writer: inout DocumentWriter) { A.write(&writer) }
    static var isOrdered: Bool { A.isOrdered }
    func isSame(as other: Self) -> Bool { rawValue.isSame(as: other.rawValue) }
}
