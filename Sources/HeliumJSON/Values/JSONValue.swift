/// Any JSON value, exactly as in its document: with exact numbers, and members in their order.
///
/// ```swift
/// var message: JSONValue = ["id": "12", "user": ["name": "mira"], "pins": [1, 2.5, nil]]
/// print(message["user", "name"]?.stringValue ?? "")  // mira
/// message["user", "locale"] = "de_DE"
/// ```
///
/// Values are equal if they have the same meaning: numbers by decimal value (`1` and `1.0`), objects in any order of
/// their members, strings by their UTF-8 bytes.
///
/// ## Depth
///
/// Parsing is limited by ``JSONLimits/maximumDepth``, and writing uses no stack. But reading, comparing and hashing,
/// and Swift's release of nested values, are recursive: each level takes up to 350 bytes of stack, or 900 without
/// optimization. The default limit of 512 is safe on a thread with a stack of 512 KiB. With optimization, 1,500 levels
/// are safe there, and 20,000 on a stack of 8 MiB. Deeper nesting, through a higher limit or values built in code, may
/// crash the process, even if only when the value is released.
///
/// ## Memory
///
/// An element takes 24 bytes and a member 40; strings longer than 15 bytes take the size of their text in addition. A
/// document of very short values takes up to twelve times its size. ``JSONLimits/maximumValues`` limits that.
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

// MARK: Access by type

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The Boolean; `nil` for any other value.
    public var boolValue: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The string; `nil` for any other value.
    public var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The number; `nil` for any other value.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The whole number, including `1.0`; `nil` for any other value, or if it does not fit.
    public var intValue: Int? { numberValue.flatMap { Int(exactly: $0) } }

    /// The number as the nearest double; `nil` for any other value, or if it is beyond a double's range.
    public var doubleValue: Double? { numberValue?.doubleValue }

    /// The elements; `nil` if this is not an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The members; `nil` if this is not an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { return value }
        return nil
    }
}

// MARK: Equality

extension JSONValue: Hashable {
    /// Returns whether two values are equal. Strings are compared by their UTF-8 bytes, like names.
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
