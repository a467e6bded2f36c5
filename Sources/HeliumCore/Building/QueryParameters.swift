/// The parameters of a query or a form.
///
/// They are sent sorted by name (by UTF-8 bytes, like the original), whatever the order they were given in, so that the
/// same parameters always make the same URL. A list's elements keep their order. Parameters without a value are left out.
public struct QueryParameters: Sendable {
    /// How a list is written.
    public struct ListStyle: Hashable, Sendable {
        enum Form { case repeated, commaSeparated, brackets }
        let form: Form

        /// `ids=1&ids=2`. The default.
        public static let repeated = Self(form: .repeated)
        /// `ids=1,2`, with commas inside of values escaped like any other character that has a meaning.
        public static let commaSeparated = Self(form: .commaSeparated)
        /// `ids[]=1&ids[]=2`, with the brackets escaped.
        public static let brackets = Self(form: .brackets)
    }

    private(set) var items: [(name: String, value: ParameterValue)] = []

    /// No parameters.
    public init() {}

    /// The parameters of a dictionary.
    public init(_ dictionary: [String: any ParameterConvertible]) {
        // Names of a dictionary are unique: nothing is to be looked for.
        items = dictionary.map { ($0.key, $0.value.parameterValue) }
    }

    /// Whether there are none.
    public var isEmpty: Bool { items.isEmpty }

    /// The value of a parameter; setting replaces it.
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

    /// Takes over the other's parameters; where both have one, the other's wins, a `nil` in it removes ours.
    public mutating func merge(_ other: QueryParameters) {
        if items.isEmpty {
            items = other.items
        } else {
            for item in other.items { self[item.name] = item.value }
        }
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Parameters from a literal: values of any ``ParameterConvertible`` type, `nil` leaves one out. Of a name that is
    /// given twice, the last value is taken.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        items.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value?.parameterValue ?? .absent }
    }
}

extension QueryParameters: CustomStringConvertible, CustomReflectable {
    /// The names only: values may be personal.
    public var description: String { "[\(items.map(\.name).sorted().joined(separator: ", "))]" }
    /// The names only.
    public var customMirror: Mirror { Mirror(self, children: ["names": items.map(\.name).sorted()]) }
}
