/// A change of a member in a request: none, an empty value, or a new value (Docs/Protocols/Cosm.md §3.3).
enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case unchanged
    case cleared
    case set(Value)

    /// Applies the change to a member.
    func applied(to value: inout Value?) {
        switch self {
        case .unchanged: break
        case .cleared: value = nil
        case .set(let new): value = new
        }
    }

    var newValue: Value? {
        if case .set(let value) = self { return value }
        return nil
    }

    var isUnchanged: Bool { self == .unchanged }
}
