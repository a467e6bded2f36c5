public import HeliumJSON

/// The schema and the first content of the scopes that a server hosts: enumerations, classes with their procedures, scopes
/// with their initial trees, and parameters that make the server refuse.
///
/// ```json
/// {"classes": {"Board": {"properties": {"title": "string", "cards": ["Card"]}},
///              "Card": {"properties": {"text": "string", "done": {"type": "boolean", "default": false}}}},
///  "scopes": {"Board": {"root": "Board", "initial": {"title": "To do", "cards": [{"text": "Write"}]}}}}
/// ```
///
/// A property's type is `string`, `number`, `boolean`, `date`, the name of an enumeration or a class, or an array of one of
/// these. A class may name its superclass with `inherits`. In `initial` objects stand inline; `$uuid` and `$cls` name an
/// identifier and a subclass, and the text of a UUID refers to an object that stands elsewhere in the tree.
///
/// Reading checks everything; ``data()`` writes a file that is read as an equal value.
public struct ScopeFile: Hashable, Sendable {
    /// The enumerations, in the order of the file.
    public var enumerations: [Enumeration]
    /// The classes, in the order of the file.
    public var classes: [ClassDefinition]
    /// The scopes, in the order of the file.
    public var scopes: [ScopeDefinition]
    /// The parameters that make the server refuse.
    public var refusals: Refusals

    /// Creates a file of these parts. ``validate()`` tells whether they fit together.
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
        /// The name, which properties use as their type.
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
        /// A date: seconds since 1970, or text of RFC 3339.
        case date
        /// A value of the enumeration, or a reference to an object of the class, with that name.
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
        /// The value of a new object that names none. Default: `nil`, which is null, or an empty array.
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
        /// The properties that the superclass does not have.
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

    /// A procedure: a change set that names it is accepted if each fragment matches a constraint (Jetstream.md §4.5).
    public struct Procedure: Hashable, Sendable {
        /// The name behind the dot.
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
        /// A condition on one property.
        public enum Condition: Hashable, Sendable {
            /// The fragment has the property, with any value.
            case newValue
            /// The array grows; on an added object any array will do.
            case insertion
            /// The array shrinks.
            case removal
            /// The property has this value.
            case value(JSONValue)
        }

        /// Whether the fragment adds an object. Otherwise it changes one.
        public var isAdd: Bool
        /// The class that the fragment names.
        public var className: String
        /// The conditions by property, in the order of the file.
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

    /// A property's name and the condition on it.
    public struct NamedCondition: Hashable, Sendable {
        /// The property's name.
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
        /// The root's properties, objects inline.
        public var initial: JSONObject

        /// Creates a scope.
        public init(name: String, root: String, initial: JSONObject = [:]) {
            self.name = name
            self.root = root
            self.initial = initial
        }
    }

    /// Names of parameters that make the server refuse when they are true.
    public struct Refusals: Hashable, Sendable {
        /// Parameters of connections, as in the header `X-Jetstream-Deny: 1`; in lower case.
        public var connection: [String]
        /// Parameters of SessionCreate.
        public var session: [String]
        /// Parameters of ScopeFetch.
        public var fetch: [String]

        /// Creates lists of parameters. Default: none.
        public init(connection: [String] = [], session: [String] = [], fetch: [String] = []) {
            self.connection = connection.map { $0.lowercased() }
            self.session = session
            self.fetch = fetch
        }
    }
}
