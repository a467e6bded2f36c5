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
    /// Objects that cannot be restored, but of which cycles must be freed: those of trees whose roots were removed, those
    /// that are below objects that left, and those of which another object has the identifier.
    private var others: [Reference] = []
    /// The objects that left since the last search for cycles.
    private var recent: [ModelID] = []
    /// The index of the first of the ``others`` that were added since that search.
    private var firstRecentOther = 0
    /// Objects that left before and that a change set, which was freed since that search, has referred to.
    private var released: [Reference] = []
    /// Whether the scope retained one of the ``recent`` objects until then, so that those below may have left before.
    private var wasRetained = false
    /// The number of steps that searches below such objects may take, so that their costs stay proportional to the number of
    /// objects that left.
    private var credit = 0
    /// The number of ``others`` at which freed ones are removed.
    private var otherLimit = 64
    /// The number of references at which all objects are searched.
    private var nextSweep = 64

    /// Whether there are none.
    var isEmpty: Bool { references.isEmpty }

    /// Whether there are so many objects that all should be searched.
    var isSweepDue: Bool { references.count + others.count >= nextSweep }

    /// Whether so many objects left since the last search that the next one should not wait. An object that left and
    /// returned several times counts each time.
    var isSearchDue: Bool { isSweepDue || recentCount >= nextSweep }

    /// The number of times that objects left since the last search.
    var recentCount: Int { recent.count }

    /// Adds an object that left.
    ///
    /// - Parameter wasRetained: Whether the scope retained it until now. Default: `false`.
    mutating func add(_ object: any ModelObject, wasRetained: Bool = false) {
        let id = object.modelNode.uuid
        if wasRetained, object.modelNode.flags.contains(.hasReferences) { self.wasRetained = true }
        credit += Self.stepsPerObject
        let former = references.updateValue(Reference(object: object), forKey: id)?.object
        if let former, former !== object { addOutside(former) }
        recent.append(id)
    }

    /// Removes an object that enters the scope, and does not restore another one with its identifier any more.
    mutating func remove(_ node: ModelNode) {
        if references.isEmpty { return }
        let former = references.removeValue(forKey: node.uuid)?.object
        if let former, former.modelNode !== node { addOutside(former) }
    }

    /// Adds an object that cannot be restored.
    mutating func addOutside(_ object: any ModelObject) {
        if others.count >= otherLimit { removeFreedOthers() }
        others.append(Reference(object: object))
        credit += Self.stepsPerObject
    }

    /// Notes that a change set no longer refers to an object that left before.
    mutating func addReleased(_ object: any ModelObject) { released.append(Reference(object: object)) }

    mutating func removeAll() { self = FormerObjects() }

    /// Forgets what objects of a tree whose root was removed could be restored.
    mutating func abandonAll() {
        // Those of earlier trees may have been in this one too.
        let left = Self.outside(living).map { Reference(object: $0) }
        self = FormerObjects()
        others = left
        credit = left.count * Self.stepsPerObject
        nextSweep = 0
    }

    /// Objects among which cycles are searched.
    struct Search {
        var objects: [any ModelObject]
        /// The number of the first of them that left since the last search.
        let newCount: Int
        /// Whether objects that left before may be below these.
        let looksBelow: Bool
        /// The number of steps that may be taken below.
        var credit: Int
    }

    /// Returns the objects among which cycles must be searched; `nil` if there are no new ones.
    ///
    /// Recent objects are searched each time. All objects are searched occasionally, for those that the app has
    /// released since.
    mutating func takeSearch() -> Search? {
        if recent.isEmpty, released.isEmpty, firstRecentOther == others.count { return nil }
        var new = isSweepDue ? living : recent.compactMap { references[$0]?.object }
        if !isSweepDue { new += others[firstRecentOther...].compactMap(\.object) }
        // The object may have entered another scope.
        new.removeAll { $0.modelNode.home != nil }
        let former = isSweepDue ? [] : Self.outside(released.compactMap(\.object))
        let search = Search(
            objects: new + former,
            newCount: new.count,
            looksBelow: !isSweepDue && (wasRetained || !former.isEmpty),
            credit: credit + 1_000
        )
        (recent, released, wasRetained) = ([], [], false)
        firstRecentOther = others.count
        return search
    }

    /// Takes the steps of a search from those that the next ones may take.
    mutating func spend(_ search: Search) { if search.looksBelow { credit = search.credit } }

    /// Ends a search, after which the cycles that it found are freed.
    mutating func endSearch() {
        guard isSweepDue else { return }
        references = references.filter { $0.value.object != nil }
        removeFreedOthers()
        nextSweep = max(64, (references.count + others.count) * 2)
    }

    /// Removes others that were freed, and those that have entered a scope, which frees their cycles.
    private mutating func removeFreedOthers() {
        var seen: Set<ObjectIdentifier> = []
        func isOutside(_ reference: Reference) -> Bool {
            // An object that was below objects of several scopes was added several times.
            reference.object.map { $0.modelNode.home == nil && seen.insert(ObjectIdentifier($0)).inserted } ?? false
        }
        let old = others[..<firstRecentOther].filter(isOutside)
        let recent = others[firstRecentOther...].filter(isOutside)
        others = old + recent
        firstRecentOther = old.count
        otherLimit = max(64, others.count * 2)
    }

    private static let stepsPerObject = 4

    /// Returns those of the objects that have no scope, each once.
    private static func outside(_ objects: [any ModelObject]) -> [any ModelObject] {
        var seen: Set<ObjectIdentifier> = []
        return objects.filter { $0.modelNode.home == nil && seen.insert(ObjectIdentifier($0)).inserted }
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

    /// The objects that are still alive, also those that cannot be restored.
    var living: [any ModelObject] { references.values.compactMap(\.object) + others.compactMap(\.object) }
}
