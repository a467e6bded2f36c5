// Observers are called in the order of registration. They may change objects, and add and remove observers.

extension ModelObject {
    func add(
        _ owner: AnyObject?,
        _ interest: ModelObserver.Interest,
        report: CoalescedReport? = nil,
        _ handler: @escaping (ModelEvent) -> Void
    ) -> ModelObservation {
        let node = modelNode
        node.bind(self)
        let list = node.observers ?? ObserverList()
        node.observers = list
        node.flags.insert(.reports)
        let observer = ModelObserver(interest, owner: owner, report: report, handler)
        list.add(observer)
        if case .tree = interest { node.treeIsObserved() }
        return ModelObservation(isOwned: owner != nil) { [weak observer] in observer?.cancel() }
    }

    /// Returns the indexes of properties, which must exist.
    func places(_ keys: [String]) -> Set<Int> {
        let schema = modelNode.schema(of: self)
        return Set(
            keys.map { key in
                guard let property = schema.property(named: key) else {
                    preconditionFailure("\(schema.className) has no property \"\(key)\"")
                }
                return property.index
            }
        )
    }

    /// Returns the indexes of properties, which must exist.
    func places(_ keyPaths: [PartialKeyPath<Self>]) -> Set<Int> {
        Set(keyPaths.flatMap { properties($0).map(\.index) })
    }

    private func addCoalesced(
        _ owner: AnyObject?,
        _ interest: ModelObserver.Interest,
        _ report: CoalescedReport
    ) -> ModelObservation {
        add(owner, interest, report: report) { _ in report.note() }
    }

    private func coalesced(
        _ owner: AnyObject?,
        _ handler: @escaping () -> Void
    ) -> CoalescedReport {
        let hasOwner = owner != nil
        let node = modelNode
        return CoalescedReport { [weak owner, weak node] in
            node?.home?.beginTreeTurn()
            if !hasOwner || owner != nil { handler() }
        }
    }

    private func observe(
        _ owner: AnyObject?,
        _ interest: ModelObserver.Interest,
        isolation: isolated any Actor,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        let report = coalesced(owner, handler)
        let bound = ActorBound(report, isolation: isolation)
        report.schedule = { bound.runLater { $0.deliver() } }
        return addCoalesced(owner, interest, report)
    }

    private func observe(
        _ owner: AnyObject?,
        _ interest: ModelObserver.Interest,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        let report = coalesced(owner, handler)
        report.schedule = { [weak report] in turn.add { report?.deliver() } }
        return addCoalesced(owner, interest, report)
    }
}

// MARK: Coalesced changes

extension ModelObject {
    /// Calls `handler` once in a later turn of the caller's actor after properties changed, regardless of the number of
    /// changes.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - isolation: The calling actor, held weakly. Default: the actor of the calling function. Without an actor,
    ///     use the form with a ``Turn``.
    ///   - handler: A closure that is called on that actor.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(nil), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor after one of several properties changed.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - keys: Names on the wire. Each must be the name of a property.
    ///   - isolation: The calling actor, held weakly. Default: the actor of the calling function. Without an actor,
    ///     use the form with a ``Turn``.
    ///   - handler: A closure that is called on that actor.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        keys: [String],
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places(keys)), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor after a property changed.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - key: The name on the wire. It must be the name of a property.
    ///   - isolation: The calling actor, held weakly. Default: the actor of the calling function. Without an actor,
    ///     use the form with a ``Turn``.
    ///   - handler: A closure that is called on that actor.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        key: String,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([key])), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor after one of several properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        _ keyPath: PartialKeyPath<Self>,
        _ others: PartialKeyPath<Self>...,
        isolation: isolated any Actor = #isolation,
        handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([keyPath] + others)), isolation: isolation, handler)
    }

    /// Calls `handler` once at the end of a turn in which properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(nil), on: turn, handler)
    }

    /// Calls `handler` once at the end of a turn in which one of several properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        keys: [String],
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places(keys)), on: turn, handler)
    }

    /// Calls `handler` once at the end of a turn in which a property changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        key: String,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([key])), on: turn, handler)
    }

    /// Calls `handler` once at the end of a turn in which one of several properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        _ keyPath: PartialKeyPath<Self>,
        _ others: PartialKeyPath<Self>...,
        on turn: Turn,
        handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([keyPath] + others)), on: turn, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor after the object or anything below it changed.
    @discardableResult
    public func observeTreeChange(
        _ owner: AnyObject?,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .tree, isolation: isolation, handler)
    }

    /// Calls `handler` once at the end of a turn in which the object or anything below it changed.
    @discardableResult
    public func observeTreeChange(
        _ owner: AnyObject?,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .tree, on: turn, handler)
    }
}

// MARK: The original's names

extension ModelObject {
    /// Calls `handler` once in a later turn of the caller's actor after a property changed. The original's name of
    /// ``observeChange(_:key:isolation:_:)``.
    @discardableResult
    public func observePropertyChange(
        _ owner: AnyObject?,
        key: String,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observeChange(owner, key: key, isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor after one of several properties changed. The original's
    /// name of ``observeChange(_:keys:isolation:_:)``.
    @discardableResult
    public func observePropertyChange(
        _ owner: AnyObject?,
        keys: [String],
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observeChange(owner, keys: keys, isolation: isolation, handler)
    }
}

// MARK: Immediate changes

extension ModelObject {
    /// Calls `handler` for each change of a property, before the setter returns. A change of a property on which a
    /// composite depends counts for both properties.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - handler: A closure that is called synchronously.
    @discardableResult
    public func observeChangeImmediately(_ owner: AnyObject?, _ handler: @escaping () -> Void) -> ModelObservation {
        add(owner, .changes(nil)) { _ in handler() }
    }

    /// Calls `handler` for each change of one of several properties, before the setter returns.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - keys: Names on the wire. Each must be the name of a property.
    ///   - handler: A closure that is called synchronously.
    @discardableResult
    public func observeChangeImmediately(
        _ owner: AnyObject?,
        keys: [String],
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        add(owner, .changes(places(keys))) { _ in handler() }
    }

    /// Calls `handler` for each change of a property, before the setter returns.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. The observation ends when it is released. `nil` for an observation
    ///     that ends with its token.
    ///   - key: The name on the wire. It must be the name of a property.
    ///   - handler: A closure that is called synchronously.
    @discardableResult
    public func observeChangeImmediately(
        _ owner: AnyObject?,
        key: String,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        add(owner, .changes(places([key]))) { _ in handler() }
    }

    /// Calls `handler` for each change of one of several properties, before the setter returns.
    @discardableResult
    public func observeChangeImmediately(
        _ owner: AnyObject?,
        _ keyPath: PartialKeyPath<Self>,
        _ others: PartialKeyPath<Self>...,
        handler: @escaping () -> Void
    ) -> ModelObservation {
        add(owner, .changes(places([keyPath] + others))) { _ in handler() }
    }

    /// Removes all observers of this object that belong to an owner.
    public func removeObservers(_ owner: AnyObject) { modelNode.observers?.removeAll(of: owner) }
}
