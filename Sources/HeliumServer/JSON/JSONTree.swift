internal import HeliumJSON

/// A JSON document whose objects keep the order in which their members were written.
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
        return members.first { $0.name.hasSameBytes(as: name) }?.value
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

extension JSONTree {
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
