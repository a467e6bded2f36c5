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
    /// The number of references at which those to freed objects are removed.
    private var nextSweep = 64

    mutating func add(_ object: any ModelObject) {
        references[object.modelNode.uuid] = Reference(object: object)
        guard references.count >= nextSweep else { return }
        references = references.filter { $0.value.object != nil }
        nextSweep = max(64, references.count * 2)
    }

    mutating func remove(_ id: ModelID) {
        if !references.isEmpty { references[id] = nil }
    }

    mutating func removeAll() { self = FormerObjects() }

    /// The object with that identifier, if it is of that class.
    func object(_ id: ModelID, className: String) -> (any ModelObject)? {
        guard !references.isEmpty, let object = references[id]?.object, object.className.hasSameBytes(as: className)
        else { return nil }
        return object
    }
}
