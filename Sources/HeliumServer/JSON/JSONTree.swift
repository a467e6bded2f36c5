internal import Foundation

/// A JSON document whose objects keep the order in which their members were written: what the routes answer with, and
/// what a parsed body becomes (a parsed object is sorted by name, since its order means nothing).
enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([JSONMember])
}

/// One member of a JSON object.
struct JSONMember: Hashable, Sendable {
    let name: String
    let value: JSONTree

    init(_ name: String, _ value: JSONTree) {
        self.name = name
        self.value = value
    }
}

extension JSONTree {
    /// The value of the first member called `name`; nil where there is none and for anything but an object.
    subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// JavaScript's idea of false: null, false, 0, NaN and the empty string.
    var isFalsy: Bool {
        switch self {
        case .null, .bool(false), .integer(0), .string(""): true
        case .number(let value): value == 0 || value.isNaN
        default: false
        }
    }

    /// The type's name as the reference spells it in violation texts.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(dictionaryLiteral elements: (String, JSONTree)...) { self = .object(elements.map { JSONMember($0, $1) }) }
    init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
            let names = keyed.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(try names.map { JSONMember($0.stringValue, try keyed.decode(JSONTree.self, forKey: $0)) })
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONTree] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONTree.self)) }
            self = .array(elements)
            return
        }
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(String.self) {
            self = .string(value)
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? single.decode(Int64.self) {
            self = .integer(value)
        } else {
            self = .number(try single.decode(Double.self))
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONTree {
    /// The deepest nesting that is parsed: decoding recurses, and a peer must not choose how far.
    static let maximumDepth = 128

    /// Parses a document.
    ///
    /// - Returns: nil where `text` is not JSON or is nested deeper than ``maximumDepth``.
    static func parse(_ text: String) -> JSONTree? {
        guard depth(of: text) <= maximumDepth else { return nil }
        return try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
    }

    private static func depth(of text: String) -> Int {
        var depth = 0
        var deepest = 0
        var isInString = false
        var isEscaped = false
        for byte in text.utf8 {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    /// The document without any white space.
    var text: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .integer(let value): out += String(value)
        case .number(let value):
            // JSON has no infinities; JavaScript writes null for them as well.
            if value.isFinite { out += "\(value)" } else { out += "null" }
        case .string(let value): Self.write(value, to: &out)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += "," }
                element.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += "," }
                Self.write(member.name, to: &out)
                out += ":"
                member.value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func write(_ value: String, to out: inout String) {
        out += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
