import Foundation

/// A number that several threads may increment.
final class Counter: @unchecked Sendable {
    // Guarded by the lock.
    private var value = 0
    private let lock = NSLock()

    func increment() { lock.withLock { value += 1 } }
    var count: Int { lock.withLock { value } }
}
