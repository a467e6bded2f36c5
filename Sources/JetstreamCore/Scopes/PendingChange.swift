internal import HeliumJSON

/// The changes of one object that do not belong to a change set yet.
final class PendingChange {
    /// The changed properties, in the order of their first change, with the values before it
    /// (Docs/Protocols/Jetstream.md §4.1).
    var originals: [(property: ModelProperty, value: JSONValue)] = []

    /// Whether the object is in the scope's list of changed objects.
    var isListed = false

    /// The position in that list, if the object is in it.
    var position = 0

    /// Whether a peer removed the object before its changes were sent. They are sent if it comes back.
    var isKept = false

    /// A bit mask of the first 64 properties that are in ``originals``.
    private var mask: UInt64 = 0

    /// The objects that original values refer to, by property index. Each is determined when it is first needed.
    private var references: [Int: Set<ModelID>] = [:]

    /// Whether a property that refers to objects was changed.
    var hasLinks: Bool { originals.contains { $0.property.isLink } }

    func contains(_ property: ModelProperty) -> Bool {
        if property.index < 64 { return mask & (1 << UInt64(property.index)) != 0 }
        return originals.contains { $0.property === property }
    }

    func add(_ property: ModelProperty, _ original: JSONValue) {
        if property.index < 64 { mask |= 1 << UInt64(property.index) }
        originals.append((property, original))
    }

    /// Returns the value before the first change of a property; `nil` if it was not changed.
    func original(of property: ModelProperty) -> JSONValue? { originals.first { $0.property === property }?.value }

    /// Returns whether the original value of a property refers to an object.
    func refers(by property: ModelProperty, to id: ModelID) -> Bool {
        if let known = references[property.index] { return known.contains(id) }
        var found: Set<ModelID> = []
        original(of: property)?.forEachText { text in
            if let id = ModelID(wireText: text) { found.insert(id) }
        }
        references[property.index] = found
        return found.contains(id)
    }

    /// Removes the properties that satisfy a condition.
    func removeAll(where condition: (ModelProperty) -> Bool) {
        originals.removeAll { condition($0.property) }
        references = [:]
        mask = 0
        for (property, _) in originals where property.index < 64 { mask |= 1 << UInt64(property.index) }
    }

    /// Replaces the value that a revert would restore.
    func setOriginal(_ value: JSONValue, of property: ModelProperty) {
        guard let index = originals.firstIndex(where: { $0.property === property }) else { return }
        originals[index].value = value
        references[property.index] = nil
    }

    /// Calls `body` with each identifier that an original value refers to.
    func forEachReference(_ body: (String) -> Void) {
        for (property, value) in originals where property.isLink { value.forEachText(body) }
    }
}

extension JSONValue {
    /// Calls `body` with the text, or with each text of an array.
    func forEachText(_ body: (String) -> Void) {
        switch self {
        case .string(let text): body(text)
        case .array(let elements):
            for case .string(let text) in elements { body(text) }
        default: break
        }
    }
}
