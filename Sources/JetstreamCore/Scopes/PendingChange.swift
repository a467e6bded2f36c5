internal import HeliumJSON

/// The changes of one object that do not belong to a change set yet.
final class PendingChange {
    /// The changed properties, in the order of their first change, with the values before it
    /// (Docs/Protocols/Jetstream.md §4.1).
    var originals: [(property: ModelProperty, value: JSONValue)] = []

    /// Whether the object is in the scope's list of changed objects.
    var isListed = false

    /// A bit mask of the first 64 properties that are in ``originals``.
    private var mask: UInt64 = 0

    func contains(_ property: ModelProperty) -> Bool {
        if property.index < 64 { return mask & (1 << UInt64(property.index)) != 0 }
        return originals.contains { $0.property === property }
    }

    func add(_ property: ModelProperty, _ original: JSONValue) {
        if property.index < 64 { mask |= 1 << UInt64(property.index) }
        originals.append((property, original))
    }

    /// Removes the properties that satisfy a condition.
    func removeAll(where condition: (ModelProperty) -> Bool) {
        originals.removeAll { condition($0.property) }
        mask = 0
        for (property, _) in originals where property.index < 64 { mask |= 1 << UInt64(property.index) }
    }

    /// Replaces the value that a revert would restore.
    func setOriginal(_ value: JSONValue, of property: ModelProperty) {
        guard let index = originals.firstIndex(where: { $0.property === property }) else { return }
        originals[index].value = value
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
