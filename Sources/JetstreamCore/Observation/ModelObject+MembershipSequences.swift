// What comes and goes again before it was read is left out. So a reader, however slow, is owed no more than an array, a scope or
// the parents hold at one time.

// MARK: Arrays

extension ModelObject {
    /// The objects that come into an array, as they come.
    ///
    /// An element has those that came since the last element and are still there, in the order in which they came. The sequence
    /// ends with the object or with the task that reads it.
    ///
    /// ```swift
    /// for await shapes in canvas.additions(to: \.shapes) { shapes.forEach(draw) }
    /// ```
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func additions<Object: ModelElement>(
        to keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[Object]> {
        additions(property(keyPath).index)
    }

    /// The objects that come into an array, as they come: see ``additions(to:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire, which must be an array's.
    ///   - type: Objects of another class are left out.
    public func additions<Object>(
        key: String,
        of type: Object.Type = Object.self
    ) -> ModelChangeSequence<[Object]> {
        additions(array(key))
    }

    /// The objects that leave an array, as they leave.
    ///
    /// An element has those that left since the last element and have not come back, in the order in which they left. An object that
    /// came and left while another removal waited to be read is left out. The sequence ends with the object or with the task that
    /// reads it.
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func removals<Object: ModelElement>(
        from keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[Object]> {
        removals(property(keyPath).index)
    }

    /// The objects that leave an array, as they leave: see ``removals(from:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire, which must be an array's.
    ///   - type: Objects of another class are left out.
    public func removals<Object>(
        key: String,
        of type: Object.Type = Object.self
    ) -> ModelChangeSequence<[Object]> {
        removals(array(key))
    }

    /// The objects that are moved within an array, as they are moved.
    ///
    /// An element has the fewest moves that explain the order now after the order at the last element. Moves that cancel each other
    /// out give none. The sequence ends with the object or with the task that reads it. It compares the whole array at each change
    /// of it.
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func moves<Object: ModelElement>(
        in keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[ModelMove<Object>]> {
        moves(property(keyPath))
    }

    /// The objects that are moved within an array, as they are moved: see ``moves(in:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire, which must be an array's.
    ///   - type: Objects of another class are left out.
    public func moves<Object>(
        key: String,
        of type: Object.Type = Object.self
    ) -> ModelChangeSequence<[ModelMove<Object>]> {
        moves(modelNode.schema(of: self).properties[array(key)])
    }

    private func additions<Object>(_ property: Int) -> ModelChangeSequence<[Object]> {
        sequence(Arrivals<ObjectIdentifier, Object, [Object]> { $0 }, .additions(property), .removals(property)) {
            switch $1 {
            case .elementAdded(_, let object, _):
                if let element = object as? Object { $0.came(ObjectIdentifier(object), element) }
            case .elementRemoved(_, let object, _): $0.left(ObjectIdentifier(object))
            default: break
            }
        }
    }

    private func removals<Object>(_ property: Int) -> ModelChangeSequence<[Object]> {
        sequence(Departures<ObjectIdentifier, Object, [Object]> { $0 }, .additions(property), .removals(property)) {
            switch $1 {
            case .elementAdded(_, let object, _): $0.came(ObjectIdentifier(object))
            case .elementRemoved(_, let object, _):
                if let element = object as? Object { $0.left(ObjectIdentifier(object), element) }
            default: break
            }
        }
    }

    private func moves<Object>(_ property: ModelProperty) -> ModelChangeSequence<[ModelMove<Object>]> {
        let node = modelNode
        func objects(of model: any ModelObject) -> [any ModelObject] {
            var objects: [any ModelObject] = []
            property.access?.forEachObject(model) { objects.append($0) }
            return objects
        }
        return sequence(ArrayOrder<Object>(objects(of: self)), .changes([property.index])) { [weak node] state, _ in
            if let model = node?.model { state.note(objects(of: model)) }
        }
    }
}

// MARK: Scopes and parents

extension ModelObject {
    /// The scopes that the object comes into, as it comes.
    ///
    /// A scope that it has left again before it was read is left out. The sequence ends with the object or with the task that reads
    /// it.
    public func attachments() -> ModelChangeSequence<Scope> {
        sequence(Arrivals<ObjectIdentifier, Scope, Scope> { $0[0] }, .attaching, .detaching) {
            switch $1 {
            case .attached(let scope): $0.came(ObjectIdentifier(scope), scope)
            case .detached(let scope): $0.left(ObjectIdentifier(scope))
            default: break
            }
        }
    }

    /// The scopes that the object leaves, as it leaves.
    ///
    /// A scope that it has come back to before it was read is left out, and so are those that it came into and left meanwhile. The
    /// sequence ends with the object or with the task that reads it.
    public func detachments() -> ModelChangeSequence<Scope> {
        sequence(Departures<ObjectIdentifier, Scope, Scope> { $0[0] }, .attaching, .detaching) {
            switch $1 {
            case .attached(let scope): $0.came(ObjectIdentifier(scope))
            case .detached(let scope): $0.left(ObjectIdentifier(scope), scope)
            default: break
            }
        }
    }

    /// The properties of other objects that come to refer to the object.
    ///
    /// An element has those that came since the last element and still refer to it. The sequence ends with the object or with the
    /// task that reads it.
    public func parentAdditions() -> ModelChangeSequence<[ParentRelationship]> {
        sequence(
            Arrivals<ParentKey, ParentRelationship, [ParentRelationship]> { $0 },
            .parentAdded,
            .parentRemoved
        ) {
            switch $1 {
            case .addedToParent(let parent, let key):
                $0.came(ParentKey(parent, key), ParentRelationship(parent: parent, key: key))
            case .removedFromParent(let parent, let key): $0.left(ParentKey(parent, key))
            default: break
            }
        }
    }

    /// The properties of other objects that refer to the object no more.
    ///
    /// An element has those that let go since the last element and have not come back. The sequence ends with the object or with
    /// the task that reads it.
    public func parentRemovals() -> ModelChangeSequence<[ParentRelationship]> {
        sequence(
            Departures<ParentKey, ParentRelationship, [ParentRelationship]> { $0 },
            .parentAdded,
            .parentRemoved
        ) {
            switch $1 {
            case .addedToParent(let parent, let key): $0.came(ParentKey(parent, key))
            case .removedFromParent(let parent, let key):
                $0.left(ParentKey(parent, key), ParentRelationship(parent: parent, key: key))
            default: break
            }
        }
    }
}

private struct ParentKey: Hashable {
    let parent: ObjectIdentifier
    let key: String

    init(_ parent: any ModelObject, _ key: String) { (self.parent, self.key) = (ObjectIdentifier(parent), key) }
}
