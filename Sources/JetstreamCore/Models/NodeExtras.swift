internal import HeliumJSON

/// State that few nodes need.
final class NodeExtras {
    /// Members that the class does not declare. They are sent again when the object is added again
    /// (Docs/Protocols/Jetstream.md §2.7).
    var unknownMembers: JSONObject = [:]

    /// Objects of unknown classes in properties of the object, by property index.
    var placeholders: [Int: [PlaceholderSlot]] = [:]

    /// The times at which throttled properties were last part of a change set, by property index.
    var lastSync: [Int: Duration] = [:]

    /// The weak properties of other objects that refer to the object and are synced; `nil` if there never were any.
    var weakParents: OtherParents?

    /// The key paths that were read while one is being resolved.
    var probed: [AnyKeyPath] = []

    /// The scope that calls the object's observers later, although the object does not belong to it; `nil` if there is none.
    var eventHolder: Scope?

    /// The private scope of an object that `isScopeRoot` made a root.
    var ownScope: Scope?
}

/// An object of an unknown class in a property. Typed access omits it, but it is written back.
struct PlaceholderSlot {
    let placeholder: ModelPlaceholder
    /// The identifier of the preceding array element; `nil` at the start.
    let predecessor: ModelID?
}

extension ModelNode {
    /// Returns the extras, creating them if necessary.
    func makeExtras() -> NodeExtras {
        if let extras { return extras }
        let extras = NodeExtras()
        self.extras = extras
        return extras
    }
}
