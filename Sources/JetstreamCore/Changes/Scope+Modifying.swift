internal import HeliumCore

extension Scope {
    /// Makes the changes of a closure one change set.
    ///
    /// Changes that were recorded before become a set of their own first. A closure that changes nothing gives a set that is
    /// completed.
    ///
    /// - Parameter changes: Sets properties of objects of the scope, synchronously.
    /// - Returns: The change set, which a session sends.
    @discardableResult
    public func modify<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) -> ChangeSet {
        try modify(isAtomic: false, procedure: nil, constraints: nil, changes)
    }

    /// Makes the changes of a closure one change set that the server is to apply wholly or not at all.
    ///
    /// The original server applies what it can of such sets too (Docs/Protocols/Jetstream.md §4.4).
    @discardableResult
    public func modifyAtomically<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) -> ChangeSet {
        try modify(isAtomic: true, procedure: nil, constraints: nil, changes)
    }

    /// Makes the changes of a closure one change set that a procedure of the server must accept.
    ///
    /// - Parameters:
    ///   - procedure: The procedure: `Model.name`, with one dot.
    ///   - constraints: What the fragments must be like; `nil` for no check. A set that does not match is taken back and not
    ///     sent, and ends with the error `invalidChanges`.
    ///   - changes: Sets properties of objects of the scope, synchronously.
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
        let before = takeRecorded(at: nil)
        if !before.isEmpty { announce(before, isAtomic: false, procedure: nil) }
        let failure: Failure?
        do throws(Failure) {
            try changes()
            failure = nil
        } catch {
            failure = error
        }
        let recorded = takeRecorded(at: nil)
        if let failure {
            // What was changed before the error stays changed: it is sent like any other change.
            if !recorded.isEmpty { announce(recorded, isAtomic: isAtomic, procedure: procedure, constraints) }
            throw failure
        }
        return announce(recorded, isAtomic: isAtomic, procedure: procedure, constraints)
    }

    /// Undoes a change set by another one: each property goes back to its value from before the set, unless it has changed
    /// since.
    ///
    /// - Returns: The change set that undoes, which a session sends; completed if there was nothing to undo.
    @discardableResult
    public func undo(_ set: ChangeSet) -> ChangeSet {
        modify { () throws(Never) in
            let source = source(set.objects)
            // An object that the set has added leaves with the reference to it.
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

    /// Returns and clears the recorded fragments, without making a change set of them.
    ///
    /// - Parameter now: The time on any clock that only goes forward. Throttled values that are not due stay recorded.
    ///   Default: `nil`, which takes all.
    public func getAndClearSyncFragments(at now: Duration? = nil) -> [SyncFragment] {
        let recorded = takeRecorded(at: now).map(\.fragment)
        reviewRetained()
        return recorded
    }

    @discardableResult
    func announce(
        _ recorded: [RecordedFragment],
        isAtomic: Bool,
        procedure: String?,
        _ constraints: [Constraint]? = nil
    ) -> ChangeSet {
        let set = ChangeSet(recorded, isAtomic: isAtomic, procedure: procedure, scope: self, kept: retained)
        if recorded.isEmpty {
            reviewRetained()
            set.finish(.completed, nil)
            return set
        }
        changeSets.add(set)
        if let constraints, !Constraint.matchesAllConstraints(constraints, set) {
            let error = JetstreamError(
                .invalidChanges,
                "the changes do not match the constraints of the procedure",
                delivery: .notSent
            )
            settle(set, .reverted(error))
            return set
        }
        if changeSets.count > maximumPendingChangeSets {
            let error = JetstreamError(
                .ceilingExceeded,
                "\(maximumPendingChangeSets) change sets are pending",
                delivery: .notSent
            )
            settle(set, .reverted(error))
            return set
        }
        changeObservers.fire(set)
        if let error = hooks?.submit(set) { settle(set, .reverted(error)) }
        reviewRetained()
        return set
    }
}
