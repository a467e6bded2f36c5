internal import HeliumJSON

/// A model class's name and properties, those of its superclasses first.
///
/// It is immutable, but holds closures and key paths of the class, which may be isolated to an actor. It is shared all the
/// same: the closures run only with an object of the class, in functions that were called with that object, hence in the
/// isolation where the object lives, or while the object is freed and nothing else refers to it. That makes it Sendable.
public final class ModelSchema: @unchecked Sendable {
    /// The name on the wire, without a module's.
    public let className: String

    /// The properties, those of superclasses first.
    public let properties: [ModelProperty]

    /// The class.
    public let objectType: any ModelObject.Type

    /// The schema of the superclass; `nil` if that is not a model.
    public let superclass: ModelSchema?

    /// The number of properties of the superclasses.
    let inheritedCount: Int

    /// The properties that may refer to objects.
    let references: [ModelProperty]

    /// What reads the values of the properties that are sent, and the indexes of these.
    let sent: [(json: (AnyObject, ModelFormat) -> JSONValue, index: Int)]

    /// The names of ``sent``.
    let sentNames: PropertyNames

    /// Whether no two properties have one name.
    let hasDistinctNames: Bool

    private let indexes: [ByteText: Int]
    private let paths: [AnyKeyPath: Int]

    /// The composites that depend on a property, by its index.
    private let dependents: [[ModelProperty]]

    /// A class's schema.
    ///
    /// - Parameters:
    ///   - className: The name on the wire: the class's without its module.
    ///   - type: The class.
    ///   - parent: The superclass's schema, if that is a model.
    ///   - properties: The properties that the class itself declares. Of two properties with one name, the first counts.
    public init<Model: ModelObject>(
        _ className: String,
        of type: Model.Type,
        super parent: ModelSchema? = nil,
        _ properties: () -> [ModelProperty]
    ) {
        self.className = className
        objectType = type
        superclass = parent
        var all = parent?.properties ?? []
        inheritedCount = all.count
        for property in properties() {
            property.index = all.count
            all.append(property)
        }
        self.properties = all
        references = all.filter(\.holdsModels)
        sent = all.compactMap { property in
            guard property.isSynced, let access = property.access else { return nil }
            return (access.json, property.index)
        }
        sentNames = PropertyNames(sent.map { all[$0.index].name })
        indexes = Dictionary(all.map { (ByteText($0.name), $0.index) }) { first, _ in first }
        hasDistinctNames = indexes.count == all.count
        let paths = Dictionary(all.map { ($0.keyPath, $0.index) }) { first, _ in first }
        var dependents = Array(repeating: [ModelProperty](), count: all.count)
        for property in all {
            for dependency in property.dependencies {
                if let index = paths[dependency] { dependents[index].append(property) }
            }
        }
        self.paths = paths
        self.dependents = dependents
    }

    /// The property with that name; `nil` if there is none.
    public func property(named name: String) -> ModelProperty? { indexes[name].map { properties[$0] } }

    /// The property with that key path; `nil` if there is none.
    func property(at keyPath: AnyKeyPath) -> ModelProperty? { paths[keyPath].map { properties[$0] } }

    /// The composites that depend on a property.
    func composites(of property: ModelProperty) -> [ModelProperty] { dependents[property.index] }

    /// Calls `body` with each object that `object`, one of this class, refers to, in the order of the properties.
    func forEachObject(of object: any ModelObject, _ body: (any ModelObject) -> Void) {
        for property in references { property.access?.forEachObject(object, body) }
    }

    /// Takes all references out of an object that is being freed.
    func takeObjects(from object: AnyObject, _ body: (any ModelObject) -> Void) {
        for property in references { property.access?.takeObjects(object, body) }
    }
}
