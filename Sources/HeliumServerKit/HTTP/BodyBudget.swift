internal import HeliumConcurrency
internal import Synchronization

/// A limit for the bytes of request bodies that all connections hold together.
package final class BodyBudget: Sendable {
    private struct State {
        var held = 0
        /// The part of ``held`` that belongs to requests without proven credentials.
        var unproved = 0
    }

    private let maximum: Int
    private let state = Guarded(State())

    package init(maximum: Int) { self.maximum = maximum }

    /// The number of bytes that are held.
    package var held: Int { state.withLock { $0.held } }

    /// Creates an empty share of the budget.
    package func share(isProved: Bool) -> Share { Share(budget: self, isProved: isProved) }

    /// The bytes of one body. ``release()`` returns them to the budget.
    package struct Share: Sendable {
        fileprivate let budget: BodyBudget
        fileprivate let isProved: Bool
        private(set) var bytes = 0

        /// Takes more bytes. Returns `false` without taking any if the budget does not suffice.
        package mutating func take(_ count: Int) -> Bool {
            guard budget.take(count, isProved: isProved) else { return false }
            bytes += count
            return true
        }

        /// Returns all bytes to the budget.
        package mutating func release() {
            budget.release(bytes, isProved: isProved)
            bytes = 0
        }
    }

    private func take(_ count: Int, isProved: Bool) -> Bool {
        state.withLock { state in
            guard state.held + count <= maximum, isProved || state.unproved + count <= maximum / 2 else { return false }
            state.held += count
            if !isProved { state.unproved += count }
            return true
        }
    }

    private func release(_ count: Int, isProved: Bool) {
        state.withLock { state in
            state.held -= count
            if !isProved { state.unproved -= count }
        }
    }
}
