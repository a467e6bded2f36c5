internal import HeliumJSON

extension JSONTree {
    var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    var arrayValue: [JSONTree]? { if case .array(let value) = self { value } else { nil } }

    var members: [JSONMember]? { if case .object(let value) = self { value } else { nil } }

    /// A number, whole or not.
    var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// A whole number, also when it is written with a fraction of zero.
    var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A flag as lenient clients write it: `true`, `1`, `"true"`, `"1"` and their opposites; nil for anything else.
    var lenientFlag: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(0), .string("0"), .string("false"), .string(""): false
        case .integer(1), .string("1"), .string("true"): true
        default: nil
        }
    }

    /// Text, or a whole number as its digits: an id as clients write it.
    var lenientText: String? {
        switch self {
        case .string(let value): value
        case .integer(let value): String(value)
        default: nil
        }
    }

    /// Sets a member of an object: in its place where it is there, else at the end. Anything but an object stays as it
    /// is; nil takes the member away.
    mutating func set(_ name: String, _ value: JSONTree?) {
        guard case .object(var members) = self else { return }
        if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            if let value { members[index] = JSONMember(name, value) } else { members.remove(at: index) }
        } else if let value {
            members.append(JSONMember(name, value))
        }
        self = .object(members)
    }

    /// A whole number of any of Swift's types.
    static func count(_ value: Int) -> JSONTree { .integer(Int64(value)) }

    /// An id, which is written as text.
    static func id(_ value: Int64) -> JSONTree { .string(String(value)) }
}
