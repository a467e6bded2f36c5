internal import AppNet

/// The channels whose news wait for a newest-fetch. It decides, and fetches nothing.
struct ChannelNews {
    private var waiting: Set<AppNetChannel.ID> = []
    /// The channels that are fetched for their news.
    private var fetched: Set<AppNetChannel.ID> = []
    /// The channels whose fetch has failed, until the service is in reach again.
    private var failed: Set<AppNetChannel.ID> = []
    /// The channels whose fetch began before the service was in reach again: it may fail for that alone.
    private var early: Set<AppNetChannel.ID> = []

    /// Notes news of a channel.
    ///
    /// - Returns: Whether to begin fetching. If not, the fetch that runs goes on with ``take(_:)``.
    mutating func record(_ channel: AppNetChannel.ID) -> Bool {
        failed.remove(channel)
        waiting.insert(channel)
        return fetched.insert(channel).inserted
    }

    /// Whether news of a channel are to be fetched now. If not, the fetching of the channel has ended.
    mutating func take(_ channel: AppNetChannel.ID) -> Bool {
        early.remove(channel)
        if waiting.remove(channel) != nil { return true }
        fetched.remove(channel)
        return false
    }

    /// Keeps news whose fetch has failed until ``resume()``, unless others have come since. If that was called while the fetch
    /// ran, they are fetched again at once.
    mutating func putBack(_ channel: AppNetChannel.ID) {
        if waiting.contains(channel) { return }
        if early.remove(channel) != nil { waiting.insert(channel) } else { failed.insert(channel) }
    }

    /// The channels to begin fetching, now that the service is in reach again.
    mutating func resume() -> [AppNetChannel.ID] {
        defer { failed = [] }
        early = fetched
        return failed.filter { record($0) }
    }
}
