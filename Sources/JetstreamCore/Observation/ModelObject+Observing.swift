// Observers are called in the order of their registration. They may change objects, and add and remove observers.

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

    /// The places of properties that must exist.
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

    /// The places of properties that must exist.
    func places(_ keyPaths: [PartialKeyPath<Self>]) -> Set<Int> { Set(keyPaths.map { property($0).index }) }

    /// The property of a key path, which must exist.
    func property(_ keyPath: PartialKeyPath<Self>) -> ModelProperty {
        let schema = modelNode.schema(of: self)
        if let property = schema.property(at: keyPath) { return property }
        // A subclass's key path of an inherited property is another one. Reading it shows the one of the declaring class.
        let node = modelNode
        let (registrar, extras) = (node.registrar, node.makeExtras())
        node.registrar = nil
        node.flags.insert(.isProbed)
        _ = self[keyPath: keyPath]
        node.flags.remove(.isProbed)
        node.registrar = registrar
        let read = extras.probed
        extras.probed = []
        if read.count == 1, let property = schema.property(at: read[0]) { return property }
        let composite = schema.properties.first { $0.isComposite && Set($0.dependencies) == Set(read) }
        guard let composite else {
            preconditionFailure("\(schema.className) has no property for the key path \(keyPath)")
        }
        return composite
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
        report.schedule = { [weak report] in
            guard let report else { return }
            Task {
                _ = isolation
                report.deliver()
            }
        }
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

// MARK: Changes, once a turn

extension ModelObject {
    /// Calls `handler` once in a later turn of the caller's actor when properties changed, however many changes there were.
    ///
    /// - Parameters:
    ///   - owner: Held weakly: the observation ends with it. `nil` for an observation that lasts as long as its token.
    ///   - isolation: The actor that calls: it must be one. Elsewhere, use the form with a ``Turn``.
    ///   - handler: Called on that actor.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(nil), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor when one of these properties changed.
    ///
    /// - Parameter keys: Names on the wire. Each must be a property's.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        keys: [String],
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places(keys)), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor when this property changed.
    ///
    /// - Parameter key: The name on the wire, which must be a property's.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        key: String,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([key])), isolation: isolation, handler)
    }

    /// Calls `handler` once in a later turn of the caller's actor when one of these properties changed.
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

    /// Calls `handler` once when the turn ends in which properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(nil), on: turn, handler)
    }

    /// Calls `handler` once when the turn ends in which one of these properties changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        keys: [String],
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places(keys)), on: turn, handler)
    }

    /// Calls `handler` once when the turn ends in which this property changed.
    @discardableResult
    public func observeChange(
        _ owner: AnyObject?,
        key: String,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .changes(places([key])), on: turn, handler)
    }

    /// Calls `handler` once when the turn ends in which one of these properties changed.
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

    /// Calls `handler` once in a later turn of the caller's actor when the object or anything below it changed.
    @discardableResult
    public func observeTreeChange(
        _ owner: AnyObject?,
        isolation: isolated any Actor = #isolation,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .tree, isolation: isolation, handler)
    }

    /// Calls `handler` once when the turn ends in which the object or anything below it changed.
    @discardableResult
    public func observeTreeChange(
        _ owner: AnyObject?,
        on turn: Turn,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        observe(owner, .tree, on: turn, handler)
    }
}

// MARK: Changes, at once

extension ModelObject {
    /// Calls `handler` for each change of a property, before the setter returns. A change of a property on which a composite
    /// depends counts for each of the two.
    ///
    /// - Parameter owner: Held weakly: the observation ends with it. `nil` for an observation that lasts as long as its token.
    @discardableResult
    public func observeChangeImmediately(_ owner: AnyObject?, _ handler: @escaping () -> Void) -> ModelObservation {
        add(owner, .changes(nil)) { _ in handler() }
    }

    /// Calls `handler` for each change of one of these properties, before the setter returns.
    ///
    /// - Parameter keys: Names on the wire. Each must be a property's.
    @discardableResult
    public func observeChangeImmediately(
        _ owner: AnyObject?,
        keys: [String],
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        add(owner, .changes(places(keys))) { _ in handler() }
    }

    /// Calls `handler` for each change of this property, before the setter returns.
    ///
    /// - Parameter key: The name on the wire, which must be a property's.
    @discardableResult
    public func observeChangeImmediately(
        _ owner: AnyObject?,
        key: String,
        _ handler: @escaping () -> Void
    ) -> ModelObservation {
        add(owner, .changes(places([key]))) { _ in handler() }
    }

    /// Calls `handler` for each change of one of these properties, before the setter returns.
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
