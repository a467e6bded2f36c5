/// The parameters of a query or a form.
///
/// They are sent sorted by name (by UTF-8 bytes, like the original), in whatever order they were added, so that the
/// same parameters always produce the same URL. A list's elements keep their order. Parameters without a value are left
/// out.
public struct QueryParameters: Sendable {
    /// The format of a list in a query or a form.
    public struct ListStyle: Hashable, Sendable {
        enum Form { case repeated, commaSeparated, brackets }
        let form: Form

        /// `ids=1&ids=2`. The default.
        public static let repeated = Self(form: .repeated)
        /// `ids=1,2`. Commas inside of values are escaped, like any other reserved character.
        public static let commaSeparated = Self(form: .commaSeparated)
        /// `ids[]=1&ids[]=2`, with the brackets escaped.
        public static let brackets = Self(form: .brackets)
    }

    private(set) var items: [(name: String, value: ParameterValue)] = []

    /// Creates an empty set of parameters.
    public init() {}

    /// Creates the parameters of a dictionary.
    public init(_ dictionary: [String: any ParameterConvertible]) {
        // The names of a dictionary are unique, so no search for an existing item is needed.
        items = dictionary.map { ($0.key, $0.value.parameterValue) }
    }

    /// Whether there are no parameters.
    public var isEmpty: Bool { items.isEmpty }

    /// The value of a parameter; setting it replaces the value, and setting `nil` removes the parameter.
    public subscript(name: String) -> ParameterValue? {
        get { items.first { $0.name.hasSameBytes(as: name) }?.value }
        set {
            if let index = items.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
                if let newValue { items[index].value = newValue } else { items.remove(at: index) }
            } else if let newValue {
                items.append((name, newValue))
            }
        }
    }

    /// Adds the parameters of `other`. A parameter that exists in both takes the value of `other`, and a `nil` there
    /// leaves it out.
    public mutating func merge(_ other: QueryParameters) {
        if items.isEmpty {
            items = other.items
        } else {
            for item in other.items { self[item.name] = item.value }
        }
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a literal. Values are of any ``ParameterConvertible`` type; `nil` leaves a parameter
    /// out. If a name occurs twice, the last value is used.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        items.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value?.parameterValue ?? .absent }
    }
}

extension QueryParameters: CustomStringConvertible, CustomReflectable {
    /// The names only, because values may be personal.
    public var description: String { "[\(items.map(\.name).sorted().joined(separator: ", "))]" }
    /// The names only.
    public var customMirror: Mirror { Mirror(self, children: ["names": items.map(\.name).sorted()]) }
}
