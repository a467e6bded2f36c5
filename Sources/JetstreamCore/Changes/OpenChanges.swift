internal import HeliumCore
internal import HeliumJSON

/// The change set whose changes a closure is making, and what the calls inside the closure add to it.
final class OpenChanges {
    let set: ChangeSet

    /// The conditions of each call that has some. The set must match all of them.
    private(set) var constraints: [[Constraint]] = []

    init(_ set: ChangeSet, _ constraints: [Constraint]? = nil) {
        self.set = set
        if let constraints { self.constraints = [constraints] }
    }

    /// Adds what another call requires of the set.
    ///
    /// - Returns: The reason why the call cannot join; `nil` if it has joined.
    func join(isAtomic: Bool, procedure: String?, constraints: [Constraint]?) -> JetstreamError? {
        if let procedure, procedure != set.procedure {
            let message =
                "a change set of the procedure \"\(procedure.excerpt(100))\" can't be made inside another change set: make it afterwards"
            return JetstreamError(.invalidChanges, message, delivery: .notSent)
        }
        if isAtomic { set.isAtomic = true }
        if let constraints { self.constraints.append(constraints) }
        return nil
    }

    /// Whether the set matches the conditions.
    var matchesConstraints: Bool {
        constraints.allSatisfy { Constraint.matchesAllConstraints($0, set) }
    }
}
