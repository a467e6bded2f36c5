package import HeliumJSON

// MARK: Reading what clients write

extension JSONValue {
    /// A whole number, also when it is written with a fraction of zero.
    package var integerValue: Int64? { numberValue.flatMap { Int64(exactly: $0) } }

    /// A flag as lenient clients write it: `true`, `1`, `"true"`, `"1"` and their opposites; `nil` for anything else.
    package var lenientFlag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("0"), .string("false"), .string(""): false
        case .string("1"), .string("true"): true
        case .number(let number): ["0": false, "1": true][number.description]
        default: nil
        }
    }

    /// Text, or a number that is written as a whole number as its digits: an id as clients write it.
    package var lenientText: String? {
        switch self {
        case .string(let value): value
        case .number(let number): Int64(number.description).map { String($0) }
        default: nil
        }
    }

    /// Whether JavaScript takes the value for false: `null`, `false`, 0 and the empty string.
    package var isFalsy: Bool {
        switch self {
        case .null, .bool(false), .number(0), .string(""): true
        default: false
        }
    }

    /// The type's name as the reference spells it in violation texts.
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

// MARK: Making values

extension JSONValue {
    /// A number; `null` for infinities and NaN, which JSON does not have, as JavaScript writes them.
    package static func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? .null }

    /// A whole number.
    package static func count(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(value)) }

    /// An id, which is written as text.
    package static func id(_ value: Int64) -> JSONValue { .string(String(value)) }

    /// An object of these members; of two with one name the first counts.
    package static func object(_ members: [JSONObject.Element]) -> JSONValue { .object(JSONObject(members)) }
}

extension JSONObject {
    /// An object of these members; of two with one name the first counts.
    package init(_ members: [Element]) { self.init(members.lazy.map { ($0.name, $0.value) }) }

    /// Adds a member, unless there is one with its name.
    package mutating func append(_ member: Element) {
        if self[member.name] == nil { self[member.name] = member.value }
    }

    /// An object of the members that satisfy a condition.
    package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
        var object = JSONObject()
        for member in self where try isIncluded(member) { object[member.name] = member.value }
        return object
    }

    /// The members of both objects; of two with one name the first counts.
    package static func + (first: JSONObject, second: JSONObject) -> JSONObject {
        first.merging(second) { value, _ in value }
    }

    /// Adds the members whose names the object does not have.
    package static func += (object: inout JSONObject, members: JSONObject) {
        object.merge(members) { value, _ in value }
    }
}
