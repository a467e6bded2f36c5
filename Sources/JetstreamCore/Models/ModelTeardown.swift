/// Frees trees without a call within a call for each level, which would overflow the stack.
public enum ModelTeardown {
    /// Takes the objects out of a property of an object that is being freed, and frees those that nothing else refers to,
    /// with all that is below them.
    ///
    /// Objects below that are freed have no references any more when their own `deinit` runs.
    @inlinable
    public static func release<Value: ModelValue>(_ value: inout Value) {
        guard Value.holdsModels, let nothing = Value.withoutModels else { return }
        var objects: [any ModelObject] = []
        // Those that refer to nothing are freed like any other object.
        value.forEachModelObject { if hasReferences($0) { objects.append($0) } }
        value = nothing
        if !objects.isEmpty { free(&objects) }
    }

    @usableFromInline
    static func hasReferences(_ object: any ModelObject) -> Bool { object.modelNode.flags.contains(.hasReferences) }

    @usableFromInline
    static func free(_ objects: inout [any ModelObject]) {
        var waiting = objects.map(OwnedObject.init)
        objects = []
        while let last = waiting.indices.last {
            // Looked at in its place: a copy would be another reference.
            guard isKnownUniquelyReferenced(&waiting[last].object) else {
                waiting.removeLast()
                continue
            }
            var below: [OwnedObject] = []
            waiting[last].takeObjects { if hasReferences($0) { below.append(OwnedObject($0)) } }
            waiting.removeLast()
            waiting += below
        }
    }
}

/// An object in the one reference to it that is known.
struct OwnedObject {
    // Optional, because an `AnyObject` would be opened and copied when it is looked at, and then never be unique.
    var object: AnyObject?
    let node: ModelNode
    private let schema: ModelSchema

    init(_ object: any ModelObject) {
        self.object = object
        node = object.modelNode
        schema = node.schema(of: object)
        node.bind(object)
    }

    /// Takes all references out of the object, which nothing else refers to.
    func takeObjects(_ body: (any ModelObject) -> Void) {
        guard let object else { return }
        if node.flags.contains(.isPlaceholder) {
            unsafeDowncast(object, to: ModelPlaceholder.self).takeObjects(body)
        } else {
            schema.takeObjects(from: object, body)
        }
        guard let extras = node.extras else { return }
        for slots in extras.placeholders.values { for slot in slots { body(slot.placeholder) } }
        extras.placeholders = [:]
    }
}
