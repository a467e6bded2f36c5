/// A step on the way into a value: a member's name or an element's index.
///
/// Literals are written as they are, others with their case: `value["data", .index(row), "id"]`.
public enum JSONPathElement: Sendable {
    /// The member with that name.
    case name(String)
    /// The element with that index, from 0.
    case index(Int)

    /// A step of a coding path, such as that of a `DecodingError`.
    public init(_ key: any CodingKey) { self = key.intValue.map(JSONPathElement.index) ?? .name(key.stringValue) }
}

extension JSONPathElement: Hashable {
    /// Whether two steps are the same. Names are compared by their UTF-8 bytes, as in ``JSONObject``.
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
    /// A member's name.
    public init(stringLiteral name: String) { self = .name(name) }

    /// An element's index.
    public init(integerLiteral index: Int) { self = .index(index) }
}
