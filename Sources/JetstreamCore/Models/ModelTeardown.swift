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
        value.forEachModelObject { objects.append($0) }
        if objects.isEmpty { return }
        value = nothing
        free(&objects)
    }

    @usableFromInline
    static func free(_ objects: inout [any ModelObject]) {
        var waiting: [Doomed] = objects.map(Doomed.init)
        objects = []
        while let last = waiting.indices.last {
            // Looked at in its place: a copy would be another reference.
            guard isKnownUniquelyReferenced(&waiting[last].object) else {
                waiting.removeLast()
                continue
            }
            var below: [Doomed] = []
            waiting[last].takeObjects { below.append(Doomed($0)) }
            waiting.removeLast()
            waiting += below
        }
    }

    private struct Doomed {
        // Optional, because an `AnyObject` would be opened and copied when it is looked at, and then never be unique.
        var object: AnyObject?
        let node: ModelNode
        let schema: ModelSchema

        init(_ object: any ModelObject) {
            self.object = object
            node = object.modelNode
            schema = node.schema(of: object)
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
}
