internal import HeliumJSON

/// State that few nodes have.
final class NodeExtras {
    /// Members that the class does not know. They go out again when the object is added anew
    /// (Docs/Protocols/Jetstream.md §2.7).
    var unknownMembers: JSONObject = [:]

    /// Objects of unknown classes in properties of the object, by the property's index.
    var placeholders: [Int: [PlaceholderSlot]] = [:]

    /// When throttled properties were last part of a change set, by the property's index.
    var lastSync: [Int: Duration] = [:]

    /// Key paths that were read while one is looked for.
    var probed: [AnyKeyPath] = []

    /// The private scope of an object that was made a root by `isScopeRoot`.
    var ownScope: Scope?
}

/// An object of an unknown class in a property: typed access leaves it out, but it is written back.
struct PlaceholderSlot {
    let placeholder: ModelPlaceholder
    /// The identifier before it in an array; `nil` at the start.
    let predecessor: ModelID?
}

extension ModelNode {
    /// The extras, made if there are none.
    func makeExtras() -> NodeExtras {
        if let extras { return extras }
        let extras = NodeExtras()
        self.extras = extras
        return extras
    }
}
