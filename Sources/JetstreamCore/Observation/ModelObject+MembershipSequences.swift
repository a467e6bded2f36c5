// Changes that cancel each other out before they are read are omitted. A slow reader therefore never holds more
// elements than an array, a scope or the parents have at one time.

// MARK: Arrays

extension ModelObject {
    /// Returns a sequence of the objects that are added to an array.
    ///
    /// An element contains the objects that were added since the last element and are still in the array, in the order
    /// of addition. The sequence ends with the object or with the task that reads it.
    ///
    /// ```swift
    /// for await shapes in canvas.additions(to: \.shapes) { shapes.forEach(draw) }
    /// ```
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func additions<Object: ModelElement>(
        to keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[Object]> {
        additions(arrayProperty(keyPath).index)
    }

    /// Returns a sequence of the objects that are added to an array: see ``additions(to:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire. It must be the name of an array.
    ///   - type: The class of the objects. Objects of another class are left out.
    public func additions<Object>(
        key: String,
        of type: Object.Type = Object.self
    ) -> ModelChangeSequence<[Object]> {
        additions(array(key))
    }

    /// Returns a sequence of the objects that are removed from an array.
    ///
    /// An element contains the objects that were removed since the last element and were not added again, in the order
    /// of removal. An object that was added and removed while another removal was unread is left out. The sequence ends
    /// with the object or with the task that reads it.
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func removals<Object: ModelElement>(
        from keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[Object]> {
        removals(arrayProperty(keyPath).index)
    }

    /// Returns a sequence of the objects that are removed from an array: see ``removals(from:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire. It must be the name of an array.
    ///   - type: The class of the objects. Objects of another class are left out.
    public func removals<Object>(
        key: String,
        of type: Object.Type = Object.self
    ) -> ModelChangeSequence<[Object]> {
        removals(array(key))
    }

    /// Returns a sequence of the objects that are moved within an array.
    ///
    /// An element contains the fewest moves that lead from the order at the last element to the current order. Moves
    /// that cancel each other out produce no element. The sequence ends with the object or with the task that reads it.
    /// It compares the whole array at each change of the array.
    ///
    /// - Parameter keyPath: A property that is an array of objects.
    public func moves<Object: ModelElement>(
        in keyPath: KeyPath<Self, [Object]>
    ) -> ModelChangeSequence<[ModelMove<Object>]> {
        moves(arrayProperty(keyPath))
    }

    /// Returns a sequence of the objects that are moved within an array: see ``moves(in:)``.
    ///
    /// - Parameters:
    ///   - key: The name on the wire. It must be the name of an array.
    ///   - type: The class of the objects. Objects of another class are left out.
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
    /// Returns a sequence of the scopes that the object enters.
    ///
    /// A scope that the object left again before it was read is left out. The sequence ends with the object or with the
    /// task that reads it.
    public func attachments() -> ModelChangeSequence<Scope> {
        sequence(Arrivals<ObjectIdentifier, Scope, Scope> { $0[0] }, .attaching, .detaching) {
            switch $1 {
            case .attached(let scope): $0.came(ObjectIdentifier(scope), scope)
            case .detached(let scope): $0.left(ObjectIdentifier(scope))
            default: break
            }
        }
    }

    /// Returns a sequence of the scopes that the object leaves.
    ///
    /// A scope that the object entered again before it was read is left out. A scope that it entered and left in the
    /// meantime is left out too. The sequence ends with the object or with the task that reads it.
    public func detachments() -> ModelChangeSequence<Scope> {
        sequence(Departures<ObjectIdentifier, Scope, Scope> { $0[0] }, .attaching, .detaching) {
            switch $1 {
            case .attached(let scope): $0.came(ObjectIdentifier(scope))
            case .detached(let scope): $0.left(ObjectIdentifier(scope), scope)
            default: break
            }
        }
    }

    /// Returns a sequence of the properties of other objects that start to refer to the object.
    ///
    /// An element contains the properties that were added since the last element and still refer to the object. The
    /// sequence ends with the object or with the task that reads it.
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

    /// Returns a sequence of the properties of other objects that stop referring to the object.
    ///
    /// An element contains the properties that were removed since the last element and do not refer to the object
    /// again. The sequence ends with the object or with the task that reads it.
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
