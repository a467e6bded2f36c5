internal import AppNet

/// The channels with news that wait for a newest-fetch. This type only decides; it makes no request.
struct ChannelNews {
    private var waiting: Set<AppNetChannel.ID> = []
    /// The channels that are being fetched.
    private var fetched: Set<AppNetChannel.ID> = []
    /// The channels whose fetch failed. They are fetched again when the service is reachable again.
    private var failed: Set<AppNetChannel.ID> = []
    /// The channels whose fetch began before the service became reachable again. Such a fetch may fail only for that
    /// reason.
    private var early: Set<AppNetChannel.ID> = []

    /// Records that a channel has news.
    ///
    /// - Returns: Whether the caller must start fetching. If `false`, the running fetch continues with ``take(_:)``.
    mutating func record(_ channel: AppNetChannel.ID) -> Bool {
        failed.remove(channel)
        waiting.insert(channel)
        return fetched.insert(channel).inserted
    }

    /// Returns whether the channel must be fetched now. If `false`, fetching the channel has ended.
    mutating func take(_ channel: AppNetChannel.ID) -> Bool {
        early.remove(channel)
        if waiting.remove(channel) != nil { return true }
        fetched.remove(channel)
        return false
    }

    /// Keeps news whose fetch failed until ``resume()``, unless newer news arrived.
    ///
    /// If ``resume()`` was called while the fetch ran, the channel is fetched again at once.
    mutating func putBack(_ channel: AppNetChannel.ID) {
        if waiting.contains(channel) { return }
        if early.remove(channel) != nil { waiting.insert(channel) } else { failed.insert(channel) }
    }

    /// Returns the channels to fetch now that the service is reachable again.
    mutating func resume() -> [AppNetChannel.ID] {
        defer { failed = [] }
        early = fetched
        return failed.filter { record($0) }
    }
}
