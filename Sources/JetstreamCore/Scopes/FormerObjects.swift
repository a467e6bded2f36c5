internal import HeliumJSON

/// Objects that left a scope and are still alive, by identifier.
///
/// A peer may restore such an object while the app still holds it, for example by undoing its removal. The restored
/// object must be the same instance: two objects with the same identifier would receive different changes.
struct FormerObjects {
    private struct Reference {
        weak var object: (any ModelObject)?
    }

    private var references: [ModelID: Reference] = [:]
    /// The objects of trees whose roots were removed. They cannot be restored, but their cycles must be freed.
    private var abandoned: [Reference] = []
    /// The objects that left since the last search for cycles.
    private var recent: [ModelID] = []
    /// The number of references at which all objects are searched.
    private var nextSweep = 64

    /// Whether there are none.
    var isEmpty: Bool { references.isEmpty }

    /// Whether there are so many objects that all should be searched.
    var isSweepDue: Bool { references.count >= nextSweep }

    mutating func add(_ object: any ModelObject) {
        references[object.modelNode.uuid] = Reference(object: object)
        recent.append(object.modelNode.uuid)
    }

    mutating func remove(_ id: ModelID) {
        if !references.isEmpty { references[id] = nil }
    }

    mutating func removeAll() { self = FormerObjects() }

    /// Frees cycles among the objects of a tree whose root was removed. The others are not found any more.
    mutating func abandonAll() {
        var objects = living
        self = FormerObjects()
        objects.removeAll { $0.modelNode.home != nil }
        // The app may still hold some. Without a reference, an object is in no cycle.
        let references = objects.compactMap { object in
            object.modelNode.flags.contains(.hasReferences) ? Reference(object: object) : nil
        }
        ModelCircles.free(&objects)
        abandoned = references.filter { $0.object != nil }
        nextSweep = max(64, abandoned.count)
    }

    /// Frees cycles among the objects that left.
    ///
    /// Recent objects are searched each time. All objects are searched occasionally, for those that the app has
    /// released since.
    mutating func freeCircles() {
        if recent.isEmpty { return }
        let isSweep = isSweepDue
        var living = isSweep ? self.living : recent.compactMap { references[$0]?.object }
        recent = []
        // The object may have entered another scope.
        living.removeAll { $0.modelNode.home != nil }
        ModelCircles.free(&living)
        guard isSweep else { return }
        references = references.filter { $0.value.object != nil }
        abandoned.removeAll { $0.object == nil }
        // A sweep costs as much as all objects, so as many must have left since the last one.
        nextSweep = max(64, references.count * 2, abandoned.count)
    }

    /// Returns the object with an identifier if it is of a class.
    func object(_ id: ModelID, className: String) -> (any ModelObject)? {
        guard let object = object(id), object.className.hasSameBytes(as: className) else { return nil }
        return object
    }

    /// Returns the object with an identifier, unless it has entered another scope.
    func object(_ id: ModelID) -> (any ModelObject)? {
        guard !references.isEmpty, let object = references[id]?.object, object.modelNode.home == nil else { return nil }
        return object
    }

    /// Returns whether a node is of one of the objects.
    func contains(_ node: ModelNode) -> Bool {
        !references.isEmpty && references[node.uuid]?.object?.modelNode === node
    }

    /// The objects that are still alive, also those of trees whose roots were removed.
    var living: [any ModelObject] { references.values.compactMap(\.object) + abandoned.compactMap(\.object) }
}
