internal import AppNet
internal import HeliumConcurrency
internal import Synchronization

/// A loop of an engine, which does the work that is due and then sleeps.
enum EngineLoop: Hashable, Sendable {
    /// Sends the deletions and the unsent messages of a channel.
    case channel(AppNetChannel.ID)
    /// Sends the deletions of files and removes unused files.
    case files
    /// Sends coordinates to the geocoder.
    case geocoder
}

/// The writer of a transaction that needs not be woken by it, because it reads its rows again before it ends.
enum DueRowWriter: Hashable, Sendable {
    /// A pass of a channel's sender.
    case sender(AppNetChannel.ID)
    /// The upload of a file.
    case upload(PendingFile.ID)
}

/// Wakes the loops for which a transaction has made something due.
final class LoopWaker: Sendable {
    typealias Action = @Sendable (EngineLoop) -> Void

    private let actions = Guarded<[Action]>([])

    /// Adds a function that wakes loops. It ignores the loops that it does not know.
    func connect(_ action: @escaping Action) { actions.withLock { $0.append(action) } }

    /// Wakes loops, in order.
    func wake(_ loops: [EngineLoop]) {
        guard !loops.isEmpty else { return }
        let actions = actions.withLock { $0 }
        for loop in loops { for action in actions { action(loop) } }
    }
}
