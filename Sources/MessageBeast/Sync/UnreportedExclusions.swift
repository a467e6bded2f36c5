internal import AppNet
internal import HeliumConcurrency
internal import Synchronization

/// The messages that filters excluded in fetches that stored pages and then failed or were blocked.
///
/// The next fetch of the channel by the same engine reports them.
final class UnreportedExclusions: Sendable {
    /// The messages that are kept for a channel. Older ones are dropped.
    private static let maximum = 10_000

    private let messages = Guarded<[AppNetChannel.ID: [MessagePlus]]>([:])

    /// Removes and returns the messages of a channel, in the order in which they were excluded.
    func take(of channel: AppNetChannel.ID) -> [MessagePlus] {
        messages.withLock { $0.removeValue(forKey: channel) ?? [] }
    }

    /// Forgets all messages.
    func clear() { messages.withLock { $0 = [:] } }

    /// Keeps messages of a channel, unless the store was wiped since `term` began.
    func keep(
        _ excluded: [MessagePlus],
        of channel: AppNetChannel.ID,
        in term: EngineLife.Term,
        of life: EngineLife
    ) {
        if excluded.isEmpty { return }
        messages.withLock { messages in
            // Under the lock: a wipe ends the term before it clears the messages.
            guard (try? life.check(term)) != nil else { return }
            messages[channel] = (excluded + (messages[channel] ?? [])).suffix(Self.maximum)
        }
    }
}
