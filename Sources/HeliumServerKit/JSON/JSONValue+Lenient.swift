package import HeliumJSON

// MARK: Lenient reading

extension JSONValue {
    /// The value as a whole number, also if it is written with a zero fraction; `nil` for anything else.
    package var integerValue: Int64? { numberValue.flatMap { Int64(exactly: $0) } }

    /// The value as a Boolean in the forms that lenient clients write: `true`, `1`, `"true"`, `"1"` and their
    /// opposites, and the empty string for `false`; `nil` for anything else.
    package var lenientFlag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("0"), .string("false"), .string(""): false
        case .string("1"), .string("true"): true
        case .number(let number): ["0": false, "1": true][number.description]
        default: nil
        }
    }

    /// The value as text; a whole number becomes its digits. Clients write ids in both forms.
    package var lenientText: String? {
        switch self {
        case .string(let value): value
        case .number(let number): Int64(number.description).map { String($0) }
        default: nil
        }
    }

    /// Whether the value is false in JavaScript: `null`, `false`, 0 or the empty string.
    package var isFalsy: Bool {
        switch self {
        case .null, .bool(false), .number(0), .string(""): true
        default: false
        }
    }

    /// The name of the type in the reference's validation messages.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

// MARK: Creating values

extension JSONValue {
    /// Creates a number; `null` for infinity and NaN, which JSON does not support, as in JavaScript.
    package static func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? .null }

    /// Creates a whole number.
    package static func count(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(value)) }

    /// Creates an id, which is written as text.
    package static func id(_ value: Int64) -> JSONValue { .string(String(value)) }

    /// Creates an object with these members. The first of several members with the same name is used.
    package static func object(_ members: [JSONObject.Element]) -> JSONValue { .object(JSONObject(members)) }
}

extension JSONObject {
    /// Creates an object with these members. The first of several members with the same name is used.
    package init(_ members: [Element]) { self.init(members.lazy.map { ($0.name, $0.value) }) }

    /// Adds a member, unless a member with its name exists.
    package mutating func append(_ member: Element) {
        if self[member.name] == nil { self[member.name] = member.value }
    }

    /// Returns an object with the members that satisfy a condition.
    package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
        var object = JSONObject()
        for member in self where try isIncluded(member) { object[member.name] = member.value }
        return object
    }

    /// Returns an object with the members of both objects. Members of the first object have precedence.
    package static func + (first: JSONObject, second: JSONObject) -> JSONObject {
        first.merging(second) { value, _ in value }
    }

    /// Adds the members whose names do not exist in the object.
    package static func += (object: inout JSONObject, members: JSONObject) {
        object.merge(members) { value, _ in value }
    }
}
