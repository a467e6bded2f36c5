public import HeliumJSON

/// A property of a model class: its name on the wire, its kind, its attributes, and access to it.
///
/// Schemas of conformances make it by ``stored(_:_:get:set:attributes:)`` and ``composite(_:_:of:)``.
public final class ModelProperty {
    /// Further declarations of a property (Docs/Protocols/Jetstream.md §3.5).
    public struct Attributes: Sendable, Hashable {
        /// Whether the property is observed, but never sent nor set from the wire.
        public var isLocal: Bool

        /// The shortest time between two syncs of the property, in seconds; 0 for none. The last value of a burst is sent
        /// when the time is over.
        public var minSyncInterval: Double

        /// Whether the property's storage is weak. The object it refers to is a part of the tree only if another property refers to
        /// it too.
        public var isWeak: Bool

        /// Attributes; by default, none.
        public init(isLocal: Bool = false, minSyncInterval: Double = 0, isWeak: Bool = false) {
            (self.isLocal, self.minSyncInterval, self.isWeak) = (isLocal, minSyncInterval, isWeak)
        }
    }

    /// Whether an attempt to set a property from the wire did it.
    @usableFromInline
    enum Outcome {
        case set
        case ignored
        case null
        case wrongClass
    }

    /// Access to the property of an object, which must be of the schema's class. A class, because a value would be copied closure by
    /// closure.
    @usableFromInline
    final class Access {
        @usableFromInline let json: (AnyObject, ModelFormat) -> JSONValue
        @usableFromInline let read: (AnyObject, JSONValue, ModelSource) -> Outcome
        /// As `read`, straight from a document.
        @usableFromInline let readInput: (AnyObject, ModelInput, ModelSource) -> Outcome
        /// Sets the value that another object has, or no objects.
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

    /// The name on the wire; a composite's is its own.
    public let name: String

    /// The kind of JSON that stands for the values; `nil` for a composite, which has none.
    public let kind: ModelKind?

    /// The attributes.
    public let attributes: Attributes

    /// The class of the objects that the property refers to; `nil` if it refers to none.
    public let objectType: (any ModelObject.Type)?

    /// The place in the schema, which sets it once.
    var index = 0

    let keyPath: AnyKeyPath
    let dependencies: [AnyKeyPath]
    let access: Access?

    @usableFromInline
    init(
        _ name: String,
        _ keyPath: AnyKeyPath,
        kind: ModelKind?,
        attributes: Attributes,
        objectType: (any ModelObject.Type)?,
        dependencies: [AnyKeyPath],
        access: Access?
    ) {
        self.name = name
        self.keyPath = keyPath
        self.kind = kind
        self.attributes = attributes
        self.objectType = objectType
        self.dependencies = dependencies
        self.access = access
        isSynced = access != nil && !attributes.isLocal
        holdsModels = objectType != nil && !attributes.isWeak
        isArray = if case .array = kind { true } else { false }
    }

    /// Whether the property is computed from others.
    var isComposite: Bool { access == nil }

    /// Whether the property is sent and set from the wire.
    let isSynced: Bool

    /// Whether objects that the property refers to are below its object in the tree.
    let holdsModels: Bool

    /// Whether the property is an array.
    let isArray: Bool
}

// MARK: Making

extension ModelProperty {
    /// A stored property.
    ///
    /// - Parameters:
    ///   - name: The name on the wire.
    ///   - keyPath: The property, as its declaring class has it.
    ///   - get: Reads the storage, without the accessor that observers notice.
    ///   - set: Sets the property by its accessor.
    ///   - attributes: What else is declared.
    @inlinable
    public static func stored<Model: ModelObject, Value: ModelValue>(
        _ name: String,
        _ keyPath: KeyPath<Model, Value>,
        get: @escaping (Model) -> Value,
        set: @escaping (Model, Value) -> Void,
        attributes: Attributes = Attributes()
    ) -> ModelProperty {
        // An object that comes here is of the class whose schema has the property, or of a subclass.
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
            kind: Value.modelKind,
            attributes: attributes,
            objectType: Value.modelObjectType,
            dependencies: [],
            access: access
        )
    }

    /// A property that is computed from others of the same object and reported when one of them changes.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - keyPath: The property.
    ///   - dependencies: The stored properties that it is computed from.
    public static func composite<Model: ModelObject>(
        _ name: String,
        _ keyPath: PartialKeyPath<Model>,
        of dependencies: [PartialKeyPath<Model>]
    ) -> ModelProperty {
        ModelProperty(
            name,
            keyPath,
            kind: nil,
            attributes: Attributes(),
            objectType: nil,
            dependencies: dependencies,
            access: nil
        )
    }
}
