internal import HeliumConcurrency
internal import Synchronization

/// Measures how long requests hold the store, one after the other. Writes of all clients wait for that time.
///
/// The time of an access that ends without a commit is counted up to the next ``end()``.
package final class StoreWatch: Sendable {
    private struct State {
        var began: ContinuousClock.Instant?
        var total = Duration.zero
    }

    private let state = Guarded(State())

    package init() {}

    /// Called at the start of each access, inside of its transaction.
    func begin() { state.withLock { $0.began = .now } }

    /// Called after each commit. Call it also after a request.
    package func end() {
        state.withLock { state in
            if let began = state.began.take() { state.total += began.duration(to: .now) }
        }
    }

    /// Returns the time since the last call, and starts again.
    package func take() -> Duration {
        end()
        return state.withLock { state in
            defer { state.total = .zero }
            return state.total
        }
    }
}
