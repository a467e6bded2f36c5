internal import HeliumJSON

/// The name and the properties of a model class. Inherited properties come first.
///
/// A schema is immutable, but it holds closures and key paths of the class, which may be isolated to an actor. Sharing
/// it is safe: the closures only run with an object of the class, in functions that received that object. They
/// therefore run in the object's isolation, or while the object is freed and nothing else refers to it.
public final class ModelSchema: @unchecked Sendable {
    /// The name on the wire, without a module name.
    public let className: String

    /// The properties. Inherited properties come first.
    public let properties: [ModelProperty]

    /// The class.
    public let objectType: any ModelObject.Type

    /// The schema of the superclass; `nil` if the superclass is not a model.
    public let superclass: ModelSchema?

    /// The number of properties of the superclasses.
    let inheritedCount: Int

    /// The properties that may refer to objects.
    let references: [ModelProperty]

    /// The accessors of sent properties, and the indexes of these properties. An array of their closures would call them
    /// through thunks.
    let sent: [(access: ModelProperty.Access, index: Int)]

    /// The names of ``sent``.
    let sentNames: PropertyNames

    /// Whether all properties have distinct names.
    let hasDistinctNames: Bool

    private let indexes: [ByteText: Int]
    private let paths: [AnyKeyPath: Int]

    /// The indexes of the stored properties that a property is computed from, directly or through other composites, by
    /// its index. A stored property has its own index.
    private let sources: [[Int]]

    /// The composites that depend on a property, by its index.
    private let dependents: [[ModelProperty]]

    /// Creates the schema of a class.
    ///
    /// - Parameters:
    ///   - className: The name on the wire: the class name without its module.
    ///   - type: The class.
    ///   - parent: The schema of the superclass; `nil` if the superclass is not a model.
    ///   - properties: The properties that the class itself declares. If two have the same name, the first one counts.
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
            return (access, property.index)
        }
        sentNames = PropertyNames(sent.map { all[$0.index].name })
        indexes = Dictionary(all.map { (ByteText($0.name), $0.index) }) { first, _ in first }
        hasDistinctNames = indexes.count == all.count
        let paths = Dictionary(all.map { ($0.keyPath, $0.index) }) { first, _ in first }
        // The superclass may have a private property with the name of one of the class's own.
        let names = Dictionary(all.map { ($0.declaredName, $0.index) }) { _, last in last }
        var sources = parent?.sources ?? []
        for start in sources.count..<all.count {
            var found: Set<Int> = []
            var seen: Set<Int> = []
            var waiting = [start]
            while let index = waiting.popLast() {
                guard seen.insert(index).inserted else { continue }
                if index < inheritedCount {
                    found.formUnion(sources[index])
                } else if all[index].isComposite {
                    for dependency in all[index].dependencies {
                        let place = dependency.name.flatMap { names[$0] } ?? paths[dependency.keyPath]
                        if let place { waiting.append(place) }
                    }
                } else {
                    found.insert(index)
                }
            }
            sources.append(found.sorted())
        }
        var dependents = Array(repeating: [ModelProperty](), count: all.count)
        for property in all where property.isComposite {
            for index in sources[property.index] { dependents[index].append(property) }
        }
        self.paths = paths
        self.sources = sources
        self.dependents = dependents
    }

    /// Returns the property with a name; `nil` if there is none.
    public func property(named name: String) -> ModelProperty? { indexes[name].map { properties[$0] } }

    /// Returns the property with a key path; `nil` if there is none.
    func property(at keyPath: AnyKeyPath) -> ModelProperty? { paths[keyPath].map { properties[$0] } }

    /// Returns the composites that depend on a property.
    func composites(of property: ModelProperty) -> [ModelProperty] { dependents[property.index] }

    /// Returns the indexes of the stored properties that a property is computed from. That of a stored property is its
    /// own.
    func sourceIndexes(of property: ModelProperty) -> [Int] { sources[property.index] }

    /// Calls `body` with each object that `object`, an instance of this class, refers to, in the order of the
    /// properties.
    func forEachObject(of object: any ModelObject, _ body: (any ModelObject) -> Void) {
        for property in references { property.access?.forEachObject(object, body) }
    }

    /// Removes all references of an object that is being freed.
    func takeObjects(from object: AnyObject, _ body: (any ModelObject) -> Void) {
        for property in references { property.access?.takeObjects(object, body) }
    }
}
