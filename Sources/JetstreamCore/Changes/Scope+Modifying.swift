internal import HeliumCore

extension Scope {
    /// Combines the changes made by a closure into one change set.
    ///
    /// Changes recorded before the call become a separate set first, whose observers (``onChanges(_:_:)``) are called after the
    /// closure: what they change is not part of the set. A closure without changes returns a completed set.
    ///
    /// A call inside the closure of another one, for example by an observer that ``ModelObject/observeChangeImmediately(_:_:)``
    /// added, joins the outer call: its changes become part of the outer set, which it returns and which is submitted when
    /// the outer closure returns. If one of the calls is ``modifyAtomically(_:)``, the set is atomic.
    ///
    /// - Parameter changes: A closure that synchronously sets properties of objects of the scope.
    /// - Returns: The change set, which a session sends.
    @discardableResult
    public func modify<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) -> ChangeSet {
        try modify(isAtomic: false, procedure: nil, constraints: nil, changes)
    }

    /// Combines the changes made by a closure into one change set that the server must apply completely or not at all.
    ///
    /// The original server does not enforce this: it applies the fragments that it can
    /// (Docs/Protocols/Jetstream.md §4.4). A call inside another one joins it, as with ``modify(_:)``, and makes the outer
    /// set atomic.
    @discardableResult
    public func modifyAtomically<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) -> ChangeSet {
        try modify(isAtomic: true, procedure: nil, constraints: nil, changes)
    }

    /// Combines the changes made by a closure into one change set that a procedure of the server must accept.
    ///
    /// A call inside another call with the same procedure joins it, as with ``modify(_:)``; the set must match the
    /// conditions of both. Inside any other call, the closure is not called, and the returned set is reverted with the error
    /// `invalidChanges`, because one set cannot be of a procedure in part.
    ///
    /// - Parameters:
    ///   - procedure: The procedure: `Model.name`, with one dot.
    ///   - constraints: The conditions for the fragments; `nil` for no check. A set that does not match is reverted,
    ///     not sent, and ends with the error `invalidChanges`.
    ///   - changes: A closure that synchronously sets properties of objects of the scope.
    @discardableResult
    public func modifyWithProcedure<Failure: Error>(
        _ procedure: String,
        constraints: [Constraint]? = nil,
        _ changes: () throws(Failure) -> Void
    ) throws(Failure) -> ChangeSet {
        try modify(isAtomic: true, procedure: procedure, constraints: constraints, changes)
    }

    private func modify<Failure: Error>(
        isAtomic: Bool,
        procedure: String?,
        constraints: [Constraint]?,
        _ changes: () throws(Failure) -> Void
    ) throws(Failure) -> ChangeSet {
        if let openChanges {
            if let error = openChanges.join(isAtomic: isAtomic, procedure: procedure, constraints: constraints) {
                let refused = emptySet(isAtomic: isAtomic, procedure: procedure)
                refused.finish(.reverted, error)
                return refused
            }
            // Changes made before an error are kept, like those of the outer closure.
            try changes()
            return openChanges.set
        }
        // Its observers are called later. What they change would belong to the set of the closure, and to its procedure.
        let before = takeRecorded(at: nil)
        let earlier = before.isEmpty ? nil : submit(before, OpenChanges(emptySet(isAtomic: false, procedure: nil)))
        let open = OpenChanges(emptySet(isAtomic: isAtomic, procedure: procedure), constraints)
        // Changes made before an error are kept and sent like any other change. What waited until all changes are made is
        // done last.
        defer {
            report([earlier, submit(takeOpenChanges(), open)].compactMap(\.self))
            runWaiting()
        }
        openChanges = open
        try changes()
        return open.set
    }

    private func emptySet(isAtomic: Bool, procedure: String?) -> ChangeSet {
        ChangeSet([], isAtomic: isAtomic, procedure: procedure, scope: self, kept: ModelTable())
    }

    private func takeOpenChanges() -> [RecordedFragment] {
        openChanges = nil
        return takeRecorded(at: nil)
    }

    /// Reverses a change set with another one: each property returns to its value from before the set, unless it has
    /// changed since.
    ///
    /// - Returns: The reversing change set, which a session sends. It is completed if there was nothing to reverse. A set cannot
    ///   be undone inside the closure that makes its changes: the returned set is then reverted with the error
    ///   `invalidChanges`.
    @discardableResult
    public func undo(_ set: ChangeSet) -> ChangeSet {
        if openChanges?.set === set {
            let refused = emptySet(isAtomic: false, procedure: nil)
            refused.finish(
                .reverted,
                JetstreamError(.invalidChanges, "the change set is still being made", delivery: .notSent)
            )
            return refused
        }
        return modify { () throws(Never) in
            let source = source(set.objects)
            // An object that the set added leaves when the reference to it is removed.
            for change in set.changes where change.fragment.kind == .change {
                for (property, original) in change.originals {
                    let node = change.object.modelNode
                    guard let sent = change.fragment.properties[property.name], node.json(property, format) == sent
                    else { continue }
                    restore(original, of: property, of: change.object, source)
                }
            }
        }
    }

    /// Returns and clears the recorded fragments without creating a change set.
    ///
    /// - Parameter now: The time of any monotonic clock. Throttled values that are not due remain recorded. Default:
    ///   `nil`, which returns all fragments. The original always keeps throttled values until they are due.
    public func getAndClearSyncFragments(at now: Duration? = nil) -> [SyncFragment] {
        let recorded = takeRecorded(at: now).map(\.fragment)
        reviewRetained()
        return recorded
    }

    /// Makes a change set of recorded changes, and submits it.
    @discardableResult
    func announce(_ recorded: [RecordedFragment]) -> ChangeSet {
        let open = OpenChanges(emptySet(isAtomic: false, procedure: nil))
        if let set = submit(recorded, open) { report([set]) }
        return open.set
    }

    /// Submits a change set of recorded changes.
    ///
    /// - Returns: The set; `nil` if its observers need not be called, because it has no changes or was rejected.
    private func submit(_ recorded: [RecordedFragment], _ open: OpenChanges) -> ChangeSet? {
        let set = open.set
        set.replace(recorded, kept: retained)
        if recorded.isEmpty {
            reviewRetained()
            set.finish(.completed, nil)
            return nil
        }
        changeSets.add(set)
        if !open.matchesConstraints {
            let error = JetstreamError(
                .invalidChanges,
                "the changes violate the constraints of the procedure",
                delivery: .notSent
            )
            settle(set, .reverted(error))
            return nil
        }
        if changeSets.count > maximumPendingChangeSets {
            let error = JetstreamError(
                .ceilingExceeded,
                "\(maximumPendingChangeSets) change sets are pending",
                delivery: .notSent
            )
            settle(set, .reverted(error))
            return nil
        }
        if let error = hooks?.submit(set) {
            settle(set, .reverted(error))
            return nil
        }
        reviewRetained()
        return set
    }

    /// Calls the observers of sets that were submitted. Sets that an observer makes are submitted and reported after these.
    private func report(_ sets: [ChangeSet]) {
        if holdsEvents {
            heldEvents.append { [self] in changeObservers.fire(sets) }
        } else {
            changeObservers.fire(sets)
        }
    }
}
