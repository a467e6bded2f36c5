// Observers of arrays of objects are called before the setter returns, once for each element.

extension ModelObject {
    /// Returns the index of an array, which must exist.
    func array(_ key: String) -> Int {
        let schema = modelNode.schema(of: self)
        guard let property = schema.property(named: key), property.isArray else {
            preconditionFailure("\(schema.className) has no array \"\(key)\"")
        }
        return property.index
    }

    /// Calls `handler` with each object that is added to an array.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - key: The name on the wire. It must be the name of an array.
    ///   - handler: A closure. Objects that are not of its parameter's class are left out.
    @discardableResult
    public func observeCollectionAdd<Element>(
        _ owner: AnyObject?,
        key: String,
        _ handler: @escaping (Element) -> Void
    ) -> ModelObservation {
        add(owner, .additions(array(key))) { event in
            if case .elementAdded(_, let object, _) = event, let element = object as? Element { handler(element) }
        }
    }

    /// Calls `handler` with each object that is added to an array.
    @discardableResult
    public func observeCollectionAdd<Element: ModelElement>(
        _ owner: AnyObject?,
        _ keyPath: KeyPath<Self, [Element]>,
        _ handler: @escaping (Element) -> Void
    ) -> ModelObservation {
        add(owner, .additions(arrayProperty(keyPath).index)) { event in
            if case .elementAdded(_, let object, _) = event, let element = object as? Element { handler(element) }
        }
    }

    /// Calls `handler` with each object that is removed from an array.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - key: The name on the wire. It must be the name of an array.
    ///   - handler: A closure. Objects that are not of its parameter's class are left out.
    @discardableResult
    public func observeCollectionRemove<Element>(
        _ owner: AnyObject?,
        key: String,
        _ handler: @escaping (Element) -> Void
    ) -> ModelObservation {
        add(owner, .removals(array(key))) { event in
            if case .elementRemoved(_, let object, _) = event, let element = object as? Element { handler(element) }
        }
    }

    /// Calls `handler` with each object that is removed from an array.
    @discardableResult
    public func observeCollectionRemove<Element: ModelElement>(
        _ owner: AnyObject?,
        _ keyPath: KeyPath<Self, [Element]>,
        _ handler: @escaping (Element) -> Void
    ) -> ModelObservation {
        add(owner, .removals(arrayProperty(keyPath).index)) { event in
            if case .elementRemoved(_, let object, _) = event, let element = object as? Element { handler(element) }
        }
    }

    /// Calls `handler` with each object that is moved within an array, and its positions before and after.
    ///
    /// The moves are the fewest that lead to the new order. Moves are not sent on the wire.
    @discardableResult
    public func observeCollectionMove<Element>(
        _ owner: AnyObject?,
        key: String,
        _ handler: @escaping (_ element: Element, _ from: Int, _ to: Int) -> Void
    ) -> ModelObservation {
        add(owner, .moves(array(key))) { event in
            if case .elementMoved(_, let object, let from, let to) = event, let element = object as? Element {
                handler(element, from, to)
            }
        }
    }

    /// Calls `handler` with each object that is moved within an array, and its positions before and after.
    @discardableResult
    public func observeCollectionMove<Element: ModelElement>(
        _ owner: AnyObject?,
        _ keyPath: KeyPath<Self, [Element]>,
        _ handler: @escaping (_ element: Element, _ from: Int, _ to: Int) -> Void
    ) -> ModelObservation {
        add(owner, .moves(arrayProperty(keyPath).index)) { event in
            if case .elementMoved(_, let object, let from, let to) = event, let element = object as? Element {
                handler(element, from, to)
            }
        }
    }
}

// MARK: Scopes and parents

extension ModelObject {
    /// Calls `handler` with the scope after the object entered one.
    @discardableResult
    public func observeAttach(_ owner: AnyObject?, _ handler: @escaping (Scope) -> Void) -> ModelObservation {
        add(owner, .attaching) { event in
            if case .attached(let scope) = event { handler(scope) }
        }
    }

    /// Calls `handler` after the object entered a scope.
    @discardableResult
    public func observeAttach(_ owner: AnyObject?, _ handler: @escaping () -> Void) -> ModelObservation {
        observeAttach(owner) { _ in handler() }
    }

    /// Calls `handler` with the scope after the object left it.
    @discardableResult
    public func observeDetach(_ owner: AnyObject?, _ handler: @escaping (Scope) -> Void) -> ModelObservation {
        add(owner, .detaching) { event in
            if case .detached(let scope) = event { handler(scope) }
        }
    }

    /// Calls `handler` after the object left a scope.
    @discardableResult
    public func observeDetach(_ owner: AnyObject?, _ handler: @escaping () -> Void) -> ModelObservation {
        observeDetach(owner) { _ in handler() }
    }

    /// Calls `handler` with the parent and the property when a property starts to refer to the object.
    @discardableResult
    public func observeAddedToParent(
        _ owner: AnyObject?,
        _ handler: @escaping (_ parent: any ModelObject, _ key: String) -> Void
    ) -> ModelObservation {
        add(owner, .parentAdded) { event in
            if case .addedToParent(let parent, let key) = event { handler(parent, key) }
        }
    }

    /// Calls `handler` with the parent and the property when a property stops referring to the object.
    @discardableResult
    public func observeRemovedFromParent(
        _ owner: AnyObject?,
        _ handler: @escaping (_ parent: any ModelObject, _ key: String) -> Void
    ) -> ModelObservation {
        add(owner, .parentRemoved) { event in
            if case .removedFromParent(let parent, let key) = event { handler(parent, key) }
        }
    }
}

extension ModelNode {
    /// Calls `body` with the object and the name of one of its properties that refer to objects, unless the object's class
    /// is unknown or the object is being freed.
    func withProperty(_ index: Int, _ body: (any ModelObject, String) -> Void) {
        guard !flags.contains(.isPlaceholder), let model = livingModel else { return }
        body(model, schema(of: model).properties[index].name)
    }

    /// Makes changes of the object and of everything below it look for observers of trees. Each object is marked once.
    func markTreeObserved() {
        var waiting = [self]
        while let node = waiting.popLast() {
            guard !node.flags.contains(.isTreeObserved) else { continue }
            node.flags.insert(.isTreeObserved)
            node.forEachChild { waiting.append($0.modelNode) }
        }
    }

    /// Prepares for a new observer of the tree: changes below must be reported here again.
    func treeIsObserved() {
        markTreeObserved()
        if let scope { return scope.beginTreeTurn() }
        // Scopes below are not aware of observers above them.
        var waiting = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        while let node = waiting.popLast() {
            if let scope = node.scope {
                scope.hasForeignParents = true
                continue
            }
            node.forEachChild { child in
                if seen.insert(ObjectIdentifier(child.modelNode)).inserted { waiting.append(child.modelNode) }
            }
        }
    }
}

// MARK: Of scopes

extension Scope {
    /// Starts a new turn, in which a change is reported to the observers of trees again.
    func beginTreeTurn() { treeEpoch &+= 1 }

    /// Calls `handler` with each new change set, after it was submitted. Sets that are rejected at once are not reported.
    ///
    /// The handler may make further change sets. These are sent after the set, and reported to all observers after it.
    @discardableResult
    public func onChanges(_ owner: AnyObject?, _ handler: @escaping (ChangeSet) -> Void) -> ModelObservation {
        changeObservers.add(owner, handler)
    }

    /// Calls `handler` after changes of the server were applied.
    @discardableResult
    public func onRemoteSync(_ owner: AnyObject?, _ handler: @escaping () -> Void) -> ModelObservation {
        syncObservers.add(owner) { _ in handler() }
    }

    /// Removes all observers of the scope that belong to an owner.
    public func removeObservers(_ owner: AnyObject) {
        changeObservers.removeAll(of: owner)
        syncObservers.removeAll(of: owner)
    }
}
