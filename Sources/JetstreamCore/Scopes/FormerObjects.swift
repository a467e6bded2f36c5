internal import HeliumJSON

/// Objects that have left a scope and still live, by their identifiers.
///
/// A peer may bring such an object back while the app still holds it, for example to undo its removal. Both must then be one
/// object: two with the same identifier would get different changes.
struct FormerObjects {
    private struct Reference {
        weak var object: (any ModelObject)?
    }

    private var references: [ModelID: Reference] = [:]
    /// Those that left since the last look for circles.
    private var recent: [ModelID] = []
    /// The number of references at which all are looked at.
    private var nextSweep = 64

    /// Whether there are none.
    var isEmpty: Bool { references.isEmpty }

    /// Whether there are so many that they should be looked at.
    var isSweepDue: Bool { references.count >= nextSweep }

    mutating func add(_ object: any ModelObject) {
        references[object.modelNode.uuid] = Reference(object: object)
        recent.append(object.modelNode.uuid)
    }

    mutating func remove(_ id: ModelID) {
        if !references.isEmpty { references[id] = nil }
    }

    mutating func removeAll() { self = FormerObjects() }

    /// Frees circles among the objects that have left: among the recent ones each time, and now and then among all, for what
    /// the app has held until then.
    mutating func freeCircles() {
        if recent.isEmpty { return }
        let isSweep = isSweepDue
        var living = isSweep ? references.values.compactMap(\.object) : recent.compactMap { references[$0]?.object }
        recent = []
        // Another scope may have taken it.
        living.removeAll { $0.modelNode.home != nil }
        ModelCircles.free(&living)
        guard isSweep else { return }
        references = references.filter { $0.value.object != nil }
        nextSweep = max(64, references.count * 2)
    }

    /// The object with that identifier, if it is of that class.
    func object(_ id: ModelID, className: String) -> (any ModelObject)? {
        guard let object = object(id), object.className.hasSameBytes(as: className) else { return nil }
        return object
    }

    /// The object with that identifier.
    func object(_ id: ModelID) -> (any ModelObject)? { references.isEmpty ? nil : references[id]?.object }

    /// The objects that still live.
    var living: [any ModelObject] { references.values.compactMap(\.object) }
}
