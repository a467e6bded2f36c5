public import HeliumJSON

/// The schema and the initial content of the scopes that a server hosts.
///
/// It contains enumerations, classes with their procedures, scopes with their initial trees, and parameters that make
/// the server reject requests.
///
/// ```json
/// {"classes": {"Board": {"properties": {"title": "string", "cards": ["Card"]}},
///              "Card": {"properties": {"text": "string", "done": {"type": "boolean", "default": false}}}},
///  "scopes": {"Board": {"root": "Board", "initial": {"title": "To do", "cards": [{"text": "Write"}]}}}}
/// ```
///
/// A property's type is `string`, `number`, `boolean`, `date`, the name of an enumeration or a class, or an array of
/// one of these. A class may name its superclass with `inherits`. In `initial`, objects are written inline; `$uuid` and
/// `$cls` specify an identifier and a subclass, and the text of a UUID refers to an object elsewhere in the tree.
///
/// Reading checks the whole file. ``data()`` writes a file that is read back as an equal value.
public struct ScopeFile: Hashable, Sendable {
    /// The enumerations, in the order of the file.
    public var enumerations: [Enumeration]
    /// The classes, in the order of the file.
    public var classes: [ClassDefinition]
    /// The scopes, in the order of the file.
    public var scopes: [ScopeDefinition]
    /// The parameters that make the server reject requests.
    public var refusals: Refusals

    /// Creates a file. ``validate()`` checks whether its parts are consistent.
    public init(
        enumerations: [Enumeration] = [],
        classes: [ClassDefinition],
        scopes: [ScopeDefinition],
        refusals: Refusals = Refusals()
    ) {
        self.enumerations = enumerations
        self.classes = classes
        self.scopes = scopes
        self.refusals = refusals
    }

    /// A named set of numbers or strings.
    public struct Enumeration: Hashable, Sendable {
        /// The name that properties use as their type.
        public var name: String
        /// The allowed values: numbers, or strings.
        public var values: [JSONValue]

        /// Creates an enumeration.
        public init(name: String, values: [JSONValue]) {
            self.name = name
            self.values = values
        }
    }

    /// The type of a property, or of its elements if it is an array.
    public enum ElementType: Hashable, Sendable {
        /// Text.
        case string
        /// A number.
        case number
        /// `true` or `false`.
        case boolean
        /// A date: seconds since 1970, or RFC 3339 text.
        case date
        /// A value of the enumeration with that name, or a reference to an object of the class with that name.
        case named(String)
    }

    /// A property of a class.
    public struct Property: Hashable, Sendable {
        /// The name on the wire.
        public var name: String
        /// The type of the value, or of its elements.
        public var type: ElementType
        /// Whether the value is an array.
        public var isArray: Bool
        /// The initial value if a new object does not specify one. Default: `nil`, which is null or an empty array.
        public var defaultValue: JSONValue?

        /// Creates a property.
        public init(name: String, type: ElementType, isArray: Bool = false, defaultValue: JSONValue? = nil) {
            self.name = name
            self.type = type
            self.isArray = isArray
            self.defaultValue = defaultValue
        }
    }

    /// A class of model objects.
    public struct ClassDefinition: Hashable, Sendable {
        /// The name on the wire.
        public var name: String
        /// The name of the superclass, whose properties come first; `nil` if there is none.
        public var superclass: String?
        /// The properties that the class itself declares.
        public var properties: [Property]
        /// The procedures that clients may name as `Class.procedure`.
        public var procedures: [Procedure]

        /// Creates a class.
        public init(name: String, superclass: String? = nil, properties: [Property] = [], procedures: [Procedure] = [])
        {
            self.name = name
            self.superclass = superclass
            self.properties = properties
            self.procedures = procedures
        }
    }

    /// A procedure. A change set that names it is accepted if each fragment matches a constraint
    /// (Docs/Protocols/Jetstream.md §4.5).
    public struct Procedure: Hashable, Sendable {
        /// The name after the dot.
        public var name: String
        /// The constraints.
        public var constraints: [Constraint]

        /// Creates a procedure.
        public init(name: String, constraints: [Constraint]) {
            self.name = name
            self.constraints = constraints
        }
    }

    /// A condition that a fragment of a procedure's change set may match.
    public struct Constraint: Hashable, Sendable {
        /// A condition on a property.
        public enum Condition: Hashable, Sendable {
            /// The fragment has the property, with any value.
            case newValue
            /// The array grows. In an add, any array matches.
            case insertion
            /// The array shrinks.
            case removal
            /// The property has this value.
            case value(JSONValue)
        }

        /// Whether the fragment must add an object rather than change one.
        public var isAdd: Bool
        /// The class that the fragment must name.
        public var className: String
        /// The conditions, by property, in the order of the file.
        public var conditions: [NamedCondition]
        /// Whether the fragment may have further properties. Default: `false`.
        public var allowsAdditional: Bool

        /// Creates a constraint.
        public init(
            isAdd: Bool,
            className: String,
            conditions: [NamedCondition] = [],
            allowsAdditional: Bool = false
        ) {
            self.isAdd = isAdd
            self.className = className
            self.conditions = conditions
            self.allowsAdditional = allowsAdditional
        }
    }

    /// The name of a property and a condition on it.
    public struct NamedCondition: Hashable, Sendable {
        /// The name of the property.
        public var property: String
        /// The condition.
        public var condition: Constraint.Condition

        /// Creates a condition on a property.
        public init(_ property: String, _ condition: Constraint.Condition) {
            self.property = property
            self.condition = condition
        }
    }

    /// A scope: a tree of objects that clients fetch by its name.
    public struct ScopeDefinition: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The class of the root.
        public var root: String
        /// The properties of the root, with objects inline.
        public var initial: JSONObject

        /// Creates a scope.
        public init(name: String, root: String, initial: JSONObject = [:]) {
            self.name = name
            self.root = root
            self.initial = initial
        }
    }

    /// The names of parameters that make the server reject a request when they are true.
    public struct Refusals: Hashable, Sendable {
        /// The parameters of connections, as in the header `X-Jetstream-Deny: 1`, in lower case.
        public var connection: [String]
        /// The parameters of SessionCreate.
        public var session: [String]
        /// The parameters of ScopeFetch.
        public var fetch: [String]

        /// Creates lists of parameters. Default: empty.
        public init(connection: [String] = [], session: [String] = [], fetch: [String] = []) {
            self.connection = connection.map { $0.lowercased() }
            self.session = session
            self.fetch = fetch
        }
    }
}
