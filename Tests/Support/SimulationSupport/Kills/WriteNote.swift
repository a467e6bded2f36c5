import GRDB
import HeliumConcurrency
import HeliumDatabase
import Synchronization

/// Notes what one call of an engine has changed, also through tasks that it has started, until it has ended.
package final class WriteNote: Sendable {
    /// The note of the call that the task belongs to.
    @TaskLocal package static var current: WriteNote?

    private struct State {
        var isOver = false
        /// The number of changes before the transaction.
        var changes = 0
        var hasChanged = false
        var requests = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Notes an access to the database.
    func pass(_ passage: DatabaseAccess.Passage, _ database: any DatabaseWriter) {
        guard passage == .write || passage == .committed else { return }
        let changes = database.unsafeReentrantWrite { $0.totalChangesCount }
        state.withLock { state in
            guard !state.isOver else { return }
            if passage == .write { state.changes = changes } else if changes > state.changes { state.hasChanged = true }
        }
    }

    /// Notes a request. What a call has learned from the service is kept, also if it throws then.
    func noteRequest() { state.withLock { $0.requests += 1 } }

    /// Ends the call.
    ///
    /// - Returns: Whether it has changed the store by itself.
    package func end() -> Bool {
        state.withLock { state in
            state.isOver = true
            return state.hasChanged && state.requests == 0
        }
    }
}
