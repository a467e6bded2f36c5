public import HeliumJSON

/// A property of a model class: its name on the wire, its kind, its attributes, and access to it.
///
/// Schemas of conformances create properties with `stored` and `composite`.
public final class ModelProperty {
    /// Additional attributes of a property (Docs/Protocols/Jetstream.md §3.5).
    public struct Attributes: Sendable, Hashable {
        /// Whether the property is observed but neither sent nor set from the wire.
        public var isLocal: Bool

        /// The minimum time between two syncs of the property, in seconds; 0 or less for none. The last value of a
        /// burst is sent when this time has passed. More than a century counts as a century.
        public var minSyncInterval: Double

        /// Whether the property's storage is weak. The object that it refers to belongs to the tree only if another
        /// property refers to it too. If the server has the object and only weak properties refer to it, the scope
        /// retains it.
        public var isWeak: Bool

        /// Creates attributes. By default none is set.
        public init(isLocal: Bool = false, minSyncInterval: Double = 0, isWeak: Bool = false) {
            (self.isLocal, self.minSyncInterval, self.isWeak) = (isLocal, minSyncInterval, isWeak)
        }
    }

    /// The outcome of setting a property from the wire.
    @usableFromInline
    enum Outcome {
        case set
        case ignored
        case null
        case wrongClass
    }

    /// Accessors for a property of an object, which must be of the schema's class. It is a class because copying a
    /// struct would retain each closure.
    @usableFromInline
    final class Access {
        @usableFromInline let json: (AnyObject, ModelFormat) -> JSONValue
        @usableFromInline let read: (AnyObject, JSONValue, ModelSource) -> Outcome
        /// Like `read`, directly from a document.
        @usableFromInline let readInput: (AnyObject, ModelInput, ModelSource) -> Outcome
        /// Sets the value of another object, or no objects.
        @usableFromInline let reset: (AnyObject, AnyObject) -> Void
        @usableFromInline let forEachObject: (AnyObject, (any ModelObject) -> Void) -> Void
        @usableFromInline let takeObjects: (AnyObject, (any ModelObject) -> Void) -> Void
        @usableFromInline let remove: (AnyObject, any ModelObject) -> Void

        @inlinable
        init(
            json: @escaping (AnyObject, ModelFormat) -> JSONValue,
            read: @escaping (AnyObject, JSONValue, ModelSource) -> Outcome,
            readInput: @escaping (AnyObject, ModelInput, ModelSource) -> Outcome,
            reset: @escaping (AnyObject, AnyObject) -> Void,
            forEachObject: @escaping (AnyObject, (any ModelObject) -> Void) -> Void,
            takeObjects: @escaping (AnyObject, (any ModelObject) -> Void) -> Void,
            remove: @escaping (AnyObject, any ModelObject) -> Void
        ) {
            self.json = json
            self.read = read
            self.readInput = readInput
            self.reset = reset
            self.forEachObject = forEachObject
            self.takeObjects = takeObjects
            self.remove = remove
        }
    }

    /// A property that a composite is computed from.
    @usableFromInline
    struct Dependency {
        /// The name in Swift; `nil` if only the key path is known.
        let name: String?
        /// The key path in the class that declares the composite.
        let keyPath: AnyKeyPath
    }

    /// The name on the wire. A composite has its Swift name.
    public let name: String

    /// The name in Swift.
    let declaredName: String

    /// The kind of the JSON values; `nil` for a composite, which has none.
    public let kind: ModelKind?

    /// The attributes.
    public let attributes: Attributes

    /// The class of the objects that the property refers to; `nil` if it refers to none.
    public let objectType: (any ModelObject.Type)?

    /// The index in the schema, which sets it once.
    var index = 0

    let keyPath: AnyKeyPath
    let dependencies: [Dependency]
    let access: Access?

    @usableFromInline
    init(
        _ name: String,
        _ keyPath: AnyKeyPath,
        declaredAs declaredName: String?,
        kind: ModelKind?,
        attributes: Attributes,
        objectType: (any ModelObject.Type)?,
        dependencies: [Dependency],
        access: Access?
    ) {
        self.name = name
        self.declaredName = declaredName ?? name
        self.keyPath = keyPath
        self.kind = kind
        self.attributes = attributes
        self.objectType = objectType
        self.dependencies = dependencies
        self.access = access
        isSynced = access != nil && !attributes.isLocal
        holdsModels = objectType != nil && !attributes.isWeak
        isLink = isSynced && objectType != nil
        isWeakLink = isSynced && objectType != nil && attributes.isWeak
        isArray = if case .array = kind { true } else { false }
    }

    /// Whether the property is computed from others.
    var isComposite: Bool { access == nil }

    /// Whether the property is sent and set from the wire.
    let isSynced: Bool

    /// Whether objects that the property refers to are below its owner in the tree.
    let holdsModels: Bool

    /// Whether the server keeps the objects that the property refers to: it refers to objects and is synced. The server
    /// does not know which properties are weak.
    let isLink: Bool

    /// Whether only the server keeps the objects that the property refers to, because it is weak.
    let isWeakLink: Bool

    /// Whether the property is an array.
    let isArray: Bool
}

// MARK: Making

extension ModelProperty {
    /// Creates a stored property.
    ///
    /// - Parameters:
    ///   - name: The name on the wire.
    ///   - keyPath: The property's key path in its declaring class.
    ///   - get: Reads the storage directly, without the accessor that observers track.
    ///   - set: Sets the property with its accessor.
    ///   - attributes: Additional attributes.
    ///   - declaredName: The name in Swift, by which composites of subclasses refer to the property. `nil` if it is the
    ///     name on the wire.
    @inlinable
    public static func stored<Model: ModelObject, Value: ModelValue>(
        _ name: String,
        _ keyPath: KeyPath<Model, Value>,
        get: @escaping (Model) -> Value,
        set: @escaping (Model, Value) -> Void,
        attributes: Attributes = Attributes(),
        declaredAs declaredName: String? = nil
    ) -> ModelProperty {
        // The object is always of the class whose schema has the property, or of a subclass.
        let access = Access(
            json: { object, format in get(unsafeDowncast(object, to: Model.self)).modelJSON(format) },
            read: { object, json, source in
                switch Value.readModelJSON(json, source) {
                case .value(let value):
                    set(unsafeDowncast(object, to: Model.self), value)
                    return .set
                case .ignored: return .ignored
                case .null: return .null
                case .wrongClass: return .wrongClass
                }
            },
            readInput: { object, input, source in
                switch Value.readModelInput(input, source) {
                case .value(let value):
                    set(unsafeDowncast(object, to: Model.self), value)
                    return .set
                case .ignored: return .ignored
                case .null: return .null
                case .wrongClass: return .wrongClass
                }
            },
            reset: { object, other in
                set(
                    unsafeDowncast(object, to: Model.self),
                    Value.withoutModels ?? get(unsafeDowncast(other, to: Model.self))
                )
            },
            forEachObject: { object, body in get(unsafeDowncast(object, to: Model.self)).forEachModelObject(body) },
            takeObjects: { object, body in
                let model = unsafeDowncast(object, to: Model.self)
                guard let nothing = Value.withoutModels else { return }
                get(model).forEachModelObject(body)
                model.modelNode.beginTeardown()
                set(model, nothing)
            },
            remove: { object, other in
                let model = unsafeDowncast(object, to: Model.self)
                set(model, get(model).removingModel(other))
            }
        )
        return ModelProperty(
            name,
            keyPath,
            declaredAs: declaredName,
            kind: Value.modelKind,
            attributes: attributes,
            objectType: Value.modelObjectType,
            dependencies: [],
            access: access
        )
    }

    /// Creates a property that is computed from others of the same object and reported when one of them changes.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The property.
    ///   - dependencies: The properties from which it is computed. The class itself must declare them.
    public static func composite<Model: ModelObject>(
        _ name: String,
        _ keyPath: PartialKeyPath<Model>,
        of dependencies: [PartialKeyPath<Model>]
    ) -> ModelProperty {
        computed(name, keyPath, dependencies.map { Dependency(name: nil, keyPath: $0) })
    }

    /// Creates a property that is computed from others of the same object, which the class declares or inherits.
    ///
    /// The key path of an inherited property differs from the one in the schema of the class that declares it. The
    /// properties are therefore found by their names. Their key paths let the compiler check the names.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The property.
    ///   - dependencies: The properties from which it is computed, by their names in Swift.
    public static func composite<Model: ModelObject>(
        _ name: String,
        _ keyPath: PartialKeyPath<Model>,
        of dependencies: KeyValuePairs<String, PartialKeyPath<Model>>
    ) -> ModelProperty {
        computed(name, keyPath, dependencies.map { Dependency(name: $0.key, keyPath: $0.value) })
    }

    private static func computed(
        _ name: String,
        _ keyPath: AnyKeyPath,
        _ dependencies: [Dependency]
    ) -> ModelProperty {
        ModelProperty(
            name,
            keyPath,
            declaredAs: nil,
            kind: nil,
            attributes: Attributes(),
            objectType: nil,
            dependencies: dependencies,
            access: nil
        )
    }
}
