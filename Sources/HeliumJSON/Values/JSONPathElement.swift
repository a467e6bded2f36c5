/// A step of a path into a value: a member's name or an element's index.
///
/// Literals can be written directly, other steps with their case: `value["data", .index(row), "id"]`.
public enum JSONPathElement: Sendable {
    /// The member with this name.
    case name(String)
    /// The element with this index, from 0.
    case index(Int)

    /// Creates a step from a coding key, such as those of a `DecodingError`'s path.
    public init(_ key: any CodingKey) { self = key.intValue.map(JSONPathElement.index) ?? .name(key.stringValue) }
}

extension JSONPathElement: Hashable {
    /// Returns whether two steps are equal. Names are compared by their UTF-8 bytes, as in ``JSONObject``.
    public static func == (left: JSONPathElement, right: JSONPathElement) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left.hasSameBytes(as: right)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }

    /// Hashes the step.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .name(let name): name.hashBytes(into: &hasher)
        case .index(let index): hasher.combine(index)
        }
    }
}

extension JSONPathElement: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// Creates a step from a member's name.
    public init(stringLiteral name: String) { self = .name(name) }

    /// Creates a step from an element's index.
    public init(integerLiteral index: Int) { self = .index(index) }
}
