import HeliumConcurrency
import Synchronization

/// A number that several threads may increment.
final class Counter: Sendable {
    private let value = Guarded(0)

    /// The number after the increment.
    @discardableResult
    func increment() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    var count: Int { value.withLock { $0 } }
}
