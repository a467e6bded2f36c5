internal import HeliumCore

extension Scope {
    /// Combines the changes made by a closure into one change set.
    ///
    /// Changes recorded before the call become a separate set first. A closure without changes returns a completed set.
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
    /// (Docs/Protocols/Jetstream.md §4.4).
    @discardableResult
    public func modifyAtomically<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) -> ChangeSet {
        try modify(isAtomic: true, procedure: nil, constraints: nil, changes)
    }

    /// Combines the changes made by a closure into one change set that a procedure of the server must accept.
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
            // Changes made before the error are kept and sent like any other change.
            if !recorded.isEmpty { announce(recorded, isAtomic: isAtomic, procedure: procedure, constraints) }
            throw failure
        }
        return announce(recorded, isAtomic: isAtomic, procedure: procedure, constraints)
    }

    /// Reverses a change set with another one: each property returns to its value from before the set, unless it has
    /// changed since.
    ///
    /// - Returns: The reversing change set, which a session sends. It is completed if there was nothing to reverse.
    @discardableResult
    public func undo(_ set: ChangeSet) -> ChangeSet {
        modify { () throws(Never) in
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
                "the changes violate the constraints of the procedure",
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
        if let error = hooks?.submit(set) {
            settle(set, .reverted(error))
            return set
        }
        reviewRetained()
        // Sets that an observer makes must be submitted after this one.
        if holdsEvents { heldEvents.append { [self] in changeObservers.fire(set) } } else { changeObservers.fire(set) }
        return set
    }
}
