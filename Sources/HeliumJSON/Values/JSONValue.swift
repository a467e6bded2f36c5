/// Any JSON value, as it stands in a document: numbers exact, members in their order.
///
/// ```swift
/// var message: JSONValue = ["id": "12", "user": ["name": "mira"], "pins": [1, 2.5, nil]]
/// print(message["user", "name"]?.stringValue ?? "")  // mira
/// message["user", "locale"] = "de_DE"
/// ```
///
/// Values are equal if they mean the same: numbers by decimal value (`1` and `1.0`), objects whatever the order of their
/// members, strings as `String` compares them.
///
/// ## Depth
///
/// Reading goes no deeper than ``JSONLimits/maximumDepth``, and writing needs no stack. But reading, comparing and hashing,
/// and Swift's freeing of nested values, are calls within calls: each level takes up to 350 bytes of stack, 900 without
/// optimization. The default limit of 512 is safe on a thread of 512 KiB; optimized, 1,500 are so too, and 20,000 on one of
/// 8 MiB. What is nested deeper, by a higher limit or by hand, may end the process, if only when it is freed.
///
/// ## Memory
///
/// An element takes 24 bytes and a member 40, strings longer than 15 bytes as much again as their text. A document of
/// very short values becomes twelve times as large; ``JSONLimits/maximumValues`` is the ceiling for that.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

// MARK: What it is

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The boolean; `nil` if this is none.
    public var boolValue: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The string; `nil` if this is none.
    public var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The number; `nil` if this is none.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The whole number, `1.0` too; `nil` if this is none or does not fit.
    public var intValue: Int? { numberValue.flatMap { Int(exactly: $0) } }

    /// The number as the nearest double; `nil` if this is none or beyond a double's range.
    public var doubleValue: Double? { numberValue?.doubleValue }

    /// The elements; `nil` if this is no array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The members; `nil` if this is no object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { return value }
        return nil
    }
}

// MARK: Equality

extension JSONValue: Hashable {
    /// Whether two values are the same. Strings are compared by their UTF-8 bytes, as names are.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): text.hashBytes(into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}
