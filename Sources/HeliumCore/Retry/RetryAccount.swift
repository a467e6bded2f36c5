internal import Synchronization

/// The balance of a client's ``RetryBudget``. It is counted in thousandths and without a lock, because every call uses
/// it.
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

    /// Adds the deposit of a call that begins.
    func callBegins() {
        // Two concurrent calls may exceed the ceiling by a fraction each, which is harmless.
        if deposit > 0, balance.load(ordering: .relaxed) < ceiling {
            balance.wrappingAdd(deposit, ordering: .relaxed)
        }
    }

    /// Withdraws one retry. Returns `false` if none is left.
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

    /// The number of whole retries that are left.
    var remaining: Int { balance.load(ordering: .relaxed) / Self.unit }
}
