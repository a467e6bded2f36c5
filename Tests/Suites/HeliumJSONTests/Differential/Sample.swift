import Foundation
import TestSupport

/// A type whose values can be written at random.
protocol Sample: Decodable, Equatable {
    /// Writes a value as the type expects it, mostly.
    static func write(_ writer: inout DocumentWriter)

    /// Whether it reads its parts in one order: dictionaries don't, so either of two errors may be the first.
    static var isOrdered: Bool { get }

    /// Whether this is the same to the last bit.
    func isSame(as other: Self) -> Bool
}

extension Sample {
    static var isOrdered: Bool { true }
    func isSame(as other: Self) -> Bool { self == other }

    /// The value of this type as a member.
    static func member(_ name: String) -> DocumentWriter.Member { (name, { Self.write(&$0) }) }
}

// MARK: Scalars

extension Bool: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.put(writer.random.oneIn(2) ? "true" : "false") }
}

extension String: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.string(writer.anyString()) }
    func isSame(as other: Self) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sample where Self: FixedWidthInteger {
    static func write(_ writer: inout DocumentWriter) { writer.integer(Self.self) }
}

extension Int: Sample {}
extension Int8: Sample {}
extension Int16: Sample {}
extension Int32: Sample {}
extension Int64: Sample {}
extension UInt: Sample {}
extension UInt8: Sample {}
extension UInt16: Sample {}
extension UInt32: Sample {}
extension UInt64: Sample {}

extension Double: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.float() }
    func isSame(as other: Self) -> Bool { bitPattern == other.bitPattern || isNaN && other.isNaN }
}

extension Float: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.float() }
    func isSame(as other: Self) -> Bool { bitPattern == other.bitPattern || isNaN && other.isNaN }
}

extension Decimal: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.decimal() }
}

extension Date: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.date() }
    func isSame(as other: Self) -> Bool {
        timeIntervalSinceReferenceDate.isSame(as: other.timeIntervalSinceReferenceDate)
    }
}

extension Data: Sample {
    static func write(_ writer: inout DocumentWriter) { writer.data() }
}

extension URL: Sample {
    static func write(_ writer: inout DocumentWriter) {
        let urls = [
            "https://example.com/a?b=c#d", "", "a b", "/relative", "mailto:a@b.example", "https://ü.example/é", "%",
        ]
        writer.string(writer.random.pick(urls))
    }
}

extension UUID: Sample {
    static func write(_ writer: inout DocumentWriter) {
        writer.string(
            writer.random.pick(["6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b811-9dad-11d1-80b4-00c04fd430c8", "6BA7"])
        )
    }
}

// MARK: Collections

extension Optional: Sample where Wrapped: Sample {
    static func write(_ writer: inout DocumentWriter) {
        if writer.random.oneIn(4) { writer.put("null") } else { Wrapped.write(&writer) }
    }
    static var isOrdered: Bool { Wrapped.isOrdered }
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.some(let value), .some(let other)): value.isSame(as: other)
        case (.none, .none): true
        default: false
        }
    }
}

extension Array: Sample where Element: Sample {
    static func write(_ writer: inout DocumentWriter) {
        writer.array(writer.random.below(5)) { writer, _ in Element.write(&writer) }
    }
    static var isOrdered: Bool { Element.isOrdered }
    func isSame(as other: Self) -> Bool { elementsEqual(other) { $0.isSame(as: $1) } }
}

/// By names and by numbers.
extension Dictionary: Sample where Key: DictionaryName, Value: Sample {
    static func write(_ writer: inout DocumentWriter) {
        var names = (0..<writer.random.below(5)).map { Key.name($0, &writer) }
        // Of two members with one name Foundation reads the second too, only to see whether it is right.
        names = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element)
        writer.put("{")
        for (index, name) in names.enumerated() {
            if index > 0 { writer.put(",") }
            writer.string(name)
            writer.put(":")
            writer.value { Value.write(&$0) }
        }
        writer.put("}")
    }
    static var isOrdered: Bool { false }
    func isSame(as other: Self) -> Bool {
        count == other.count
            && allSatisfy { key, value in
                guard let other = other[key] else { return false }
                return value.isSame(as: other)
            }
    }
}

protocol DictionaryName: Hashable, Decodable {
    static func name(_ number: Int, _ writer: inout DocumentWriter) -> String
}

extension String: DictionaryName {
    static func name(_ number: Int, _ writer: inout DocumentWriter) -> String {
        writer.random.pick(["a", "b", "two words", "snake_case", "é", "", "\n", "k\(number)", "A"])
    }
}

extension Int: DictionaryName {
    static func name(_ number: Int, _ writer: inout DocumentWriter) -> String { "\(number * 7 - 3)" }
}
