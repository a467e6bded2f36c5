internal import Synchronization

/// The balance of a client's ``RetryBudget``. Counted in thousandths, without a lock: every call passes here.
final class RetryAccount: Sendable {
    private static let unit = 1000
    private let deposit: Int
    private let ceiling: Int
    private let balance: Atomic<Int>

    init(_ budget: RetryBudget) {
        let ratio = budget.ratio.isFinite ? min(max(0, budget.ratio), 10) : 0
        let reserve = min(max(0, budget.reserve), 1_000_000) * Self.unit
        deposit = Int(ratio * Double(Self.unit))
        ceiling = reserve + 500 * deposit
        balance = Atomic(reserve)
    }

    /// A call begins.
    func callBegins() {
        // Two calls at once may pass the ceiling by a fraction each: harmless.
        if deposit > 0, balance.load(ordering: .relaxed) < ceiling {
            balance.wrappingAdd(deposit, ordering: .relaxed)
        }
    }

    /// Takes one retry; `false` if there is none left.
    func withdraw() -> Bool {
        var current = balance.load(ordering: .relaxed)
        while current >= Self.unit {
            let (isDone, found) = balance.weakCompareExchange(
                expected: current,
                desired: current - Self.unit,
                ordering: .relaxed
            )
            if isDone { return true }
            current = found
        }
        return false
    }

    /// Whole retries that are left.
    var remaining: Int { balance.load(ordering: .relaxed) / Self.unit }
}
