/// Values for the placeholders of a path.
public struct PathReplacements: Sendable {
    /// The rule that matches keys with parts of the path.
    public struct Mode: Hashable, Sendable {
        enum Form { case placeholders, literal }
        let form: Form

        /// Each `:name` stands for a whole path segment. Its value is escaped so that it can't leave its segment. Each
        /// replacement must be used, and each placeholder must be replaced. The default.
        public static let placeholders = Self(form: .placeholders)

        /// The behavior of the original library, for code that relies on it. Replaces the first occurrence of the
        /// key's text, ignoring letter case and without an implied colon. Then the whole path is escaped as a path, so
        /// a `/` in a value creates segments. Keys are processed in sorted order. Do not use this for untrusted values.
        public static let literal = Self(form: .literal)
    }

    private(set) var items: [(name: String, value: ParameterValue)] = []
    var mode = Mode.placeholders

    /// Creates an empty set of replacements.
    public init() {}

    /// Creates the replacements of a dictionary.
    public init(_ dictionary: [String: any ParameterConvertible]) {
        for (name, value) in dictionary { set(name, value.parameterValue) }
    }

    mutating func merge(_ other: PathReplacements) {
        if items.isEmpty {
            items = other.items
        } else {
            for item in other.items { set(item.name, item.value) }
        }
    }

    private mutating func set(_ name: String, _ value: ParameterValue) {
        if let index = items.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            items[index].value = value
        } else {
            items.append((name, value))
        }
    }
}

extension PathReplacements: ExpressibleByDictionaryLiteral {
    /// Creates replacements from a literal: `["id": 42]`.
    public init(dictionaryLiteral elements: (String, any ParameterConvertible)...) {
        items.reserveCapacity(elements.count)
        for (name, value) in elements { set(name, value.parameterValue) }
    }
}
