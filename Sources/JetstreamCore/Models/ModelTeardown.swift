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
        while var last = waiting.popLast() {
            guard isKnownUniquelyReferenced(&last.object) else { continue }
            let take: (any ModelObject) -> Void = { waiting.append(Doomed($0)) }
            if last.node.flags.contains(.isPlaceholder) {
                unsafeDowncast(last.object, to: ModelPlaceholder.self).takeObjects(take)
            } else {
                last.schema.takeObjects(from: last.object, take)
            }
            guard let extras = last.node.extras else { continue }
            for slots in extras.placeholders.values { for slot in slots { take(slot.placeholder) } }
            extras.placeholders = [:]
        }
    }

    private struct Doomed {
        var object: AnyObject
        let node: ModelNode
        let schema: ModelSchema

        init(_ object: any ModelObject) {
            self.object = object
            node = object.modelNode
            schema = node.schema(of: object)
        }
    }
}
