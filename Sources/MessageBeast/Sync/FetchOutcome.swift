public import AppNet
public import HeliumCore

/// The result of a fetch.
public enum FetchOutcome: Sendable, Equatable {
    /// The fetch has ended.
    case fetched(FetchSummary)
    /// Nothing was requested, because the channel has something to send first.
    case blocked(BlockingWork)
}

/// The changes made by a fetch.
public struct FetchSummary: Sendable, Equatable {
    /// The number of stored pages.
    public internal(set) var pages = 0

    /// The number of new messages.
    public internal(set) var inserted = 0

    /// The number of messages whose content changed.
    public internal(set) var updated = 0

    /// The number of messages that were removed because they were deleted on the service.
    public internal(set) var removed = 0

    /// The messages that a filter excluded. They were not stored and are not fetched again. Those of an earlier
    /// `fetchNewest(in:excluding:)` of this engine that stored pages before it failed are included.
    ///
    /// A message of the outbox, and a copy of a message that was stored or deleted here, is never excluded.
    public internal(set) var excluded: [MessagePlus] = []

    /// The messages that could not be decoded, have no id, are of another channel, or repeat a message of their page. They
    /// were not stored and are not fetched again. `refresh(_:in:)` stores one that has become readable.
    public internal(set) var unreadable = UnreadableItems()

    mutating func add(_ page: StoredPage) {
        unreadable.add(page.unreadable)
        pages += 1
        inserted += page.summary.inserted
        updated += page.summary.updated
        removed += page.summary.removed
        excluded += page.excluded
    }
}

/// The work of a channel that must be sent before the channel is fetched. Parked messages and deletions do not count.
public struct BlockingWork: Sendable, Hashable {
    /// The number of unsent messages.
    public let unsent: Int

    /// The number of pending deletions of messages.
    public let pendingDeletions: Int
}

/// The progress of a full sync.
public struct SyncProgress: Sendable, Hashable {
    /// The channel.
    public let channelID: AppNetChannel.ID

    /// The number of pages that this full sync has stored.
    public internal(set) var pages = 0

    /// The number of new messages that this full sync has stored.
    public internal(set) var messages = 0

    /// The messages that could not be decoded, have no id, are of another channel, or repeat a message of their page. They
    /// are not stored and are not fetched again. `refresh(_:in:)` stores one that has become readable.
    public internal(set) var unreadable = UnreadableItems()

    /// Whether all messages of the channel are stored, except for the ``unreadable`` ones.
    public internal(set) var isComplete = false
}

/// The progress of the first full sync of a channel, or of several.
public enum FullSyncState: Int, Sendable, Hashable {
    /// No full sync has started.
    case notStarted = 0
    /// A full sync has started. It continues below the oldest message that it stored.
    case started = 1
    /// All messages have been read.
    case complete = 2

    /// Creates the combined state of several channels.
    ///
    /// The state is started if any state is started, otherwise not started if any is not started, otherwise complete.
    package init(of states: some Sequence<FullSyncState>) {
        var combined = Self.complete
        for state in states {
            switch state {
            case .started:
                self = .started
                return
            case .notStarted: combined = .notStarted
            case .complete: break
            }
        }
        self = combined
    }
}

/// A function that returns `true` for messages to exclude. A fetch does not store them. A read leaves them out of its
/// result.
///
/// A read calls it while it reads the store, so it must return soon.
public typealias MessageFilter = @Sendable (MessagePlus) -> Bool
