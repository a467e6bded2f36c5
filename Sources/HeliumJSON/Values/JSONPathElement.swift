/// A step on the way into a value: a member's name or an element's index.
///
/// Literals are written as they are, others with their case: `value["data", .index(row), "id"]`.
public enum JSONPathElement: Hashable, Sendable {
    /// The member with that name.
    case name(String)
    /// The element with that index, from 0.
    case index(Int)

    /// A step of a coding path, such as that of a `DecodingError`.
    public init(_ key: any CodingKey) { self = key.intValue.map(JSONPathElement.index) ?? .name(key.stringValue) }
}

extension JSONPathElement: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// A member's name.
    public init(stringLiteral name: String) { self = .name(name) }

    /// An element's index.
    public init(integerLiteral index: Int) { self = .index(index) }
}
