internal import AppNet
internal import HeliumConcurrency
internal import Synchronization

/// Wakes the senders of channels after transactions that queued something to send.
final class OutboxWaker: Sendable {
    typealias Action = @Sendable (AppNetChannel.ID) -> Void

    private let action = Guarded<Action?>(nil)

    /// Sets the function that wakes a sender.
    func connect(_ action: @escaping Action) { self.action.withLock { $0 = action } }

    /// Wakes the senders of channels, in order.
    func wake(_ channels: [String]) {
        guard !channels.isEmpty, let action = action.withLock({ $0 }) else { return }
        for channel in channels { action(AppNetChannel.ID(channel)) }
    }
}
