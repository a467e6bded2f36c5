/// Frees trees iteratively, because nested deinitializers could overflow the stack.
public enum ModelTeardown {
    /// Removes the objects from a property of an object that is being freed. Frees those that nothing else refers to,
    /// with everything below them.
    ///
    /// Freed objects below have no references left when their own `deinit` runs.
    @inlinable
    public static func release<Value: ModelValue>(_ value: inout Value) {
        guard Value.holdsModels, let nothing = Value.withoutModels else { return }
        var objects: [any ModelObject] = []
        // Objects without references are freed normally.
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
            // Checked in place, because a copy would be another reference.
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

/// An object with its only known reference.
struct OwnedObject {
    // Optional, because an `AnyObject` would be opened and copied when accessed, and would then never be uniquely
    // referenced.
    var object: AnyObject?
    let node: ModelNode
    private let schema: ModelSchema

    init(_ object: any ModelObject) {
        self.object = object
        node = object.modelNode
        schema = node.schema(of: object)
        node.bind(object)
    }

    /// Removes all references of the object, which nothing else refers to.
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
