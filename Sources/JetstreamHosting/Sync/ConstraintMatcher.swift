internal import HeliumJSON

/// Checks the fragments of a procedure's change set against its constraints (Docs/Protocols/Jetstream.md §4.5).
struct ConstraintMatcher {
    let scope: HostedScope
    /// Whether `$remove` requires growth, an error of the original server.
    let hasOriginalRules: Bool

    /// Returns whether each fragment matches a constraint.
    func matches(_ fragments: [Fragment], _ constraints: [ScopeFile.Constraint]) -> Bool {
        fragments.allSatisfy { fragment in constraints.contains { matches(fragment, $0) } }
    }

    private func matches(_ fragment: Fragment, _ constraint: ScopeFile.Constraint) -> Bool {
        guard fragment.isAdd == constraint.isAdd, fragment.className.hasSameBytes(as: constraint.className) else {
            return false
        }
        if !constraint.allowsAdditional, fragment.properties.count != constraint.conditions.count { return false }
        return constraint.conditions.allSatisfy { named in
            guard let value = fragment.properties[named.property] else { return false }
            switch named.condition {
            case .newValue: return true
            case .value(let expected): return value == expected
            case .insertion: return hasLength(value, fragment, named.property) { $0 > $1 }
            case .removal:
                return hasLength(value, fragment, named.property) { hasOriginalRules ? $0 > $1 : $0 < $1 }
            }
        }
    }

    /// Returns whether a comparison of the array's new length with that of the stored object holds. In an add, any
    /// array matches.
    private func hasLength(
        _ value: JSONValue,
        _ fragment: Fragment,
        _ property: String,
        _ compare: (_ new: Int, _ old: Int) -> Bool
    ) -> Bool {
        guard case .array(let elements) = value else { return false }
        if fragment.isAdd { return true }
        guard let handle = scope.graph.handle(of: fragment.id),
            let slot = scope.definition(of: handle).slots[property]
        else { return false }
        switch scope.graph[handle].values[slot] {
        case .references(let handles): return compare(elements.count, handles.count)
        case .scalar(.array(let stored)): return compare(elements.count, stored.count)
        default: return false
        }
    }
}
