/// What a request says about one member: nothing, that it is to be empty, or its new value (§3.3).
enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case unchanged
    case cleared
    case set(Value)

    /// The member afterwards.
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
