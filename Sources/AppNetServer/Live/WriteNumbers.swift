internal import HeliumConcurrency
internal import Synchronization

/// The numbers of the writes whose events are published, in the order of their commits.
///
/// A subscription, or a consumer that discards what is queued, must not get the events of earlier writes, which may
/// still be on their way (``StreamBacklog``).
final class WriteNumbers: Sendable {
    private let state = Guarded(0)

    /// The number of the last write; 0 before the first.
    var last: Int { state.withLock { $0 } }

    /// Returns the number of the next write. Call it between its commit and the next write.
    func next() -> Int {
        state.withLock { number in
            number += 1
            return number
        }
    }
}
