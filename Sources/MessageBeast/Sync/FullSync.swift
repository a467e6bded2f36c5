internal import AppNet

/// The first full sync of a channel, as a sequence with one element for each stored page.
///
/// ```swift
/// for try await progress in manager.fullSync(of: journal) {
///     print("\(progress.messages) messages")
/// }
/// ```
///
/// Requesting an element requests a page. The cursor is stored with each page, so an interrupted full sync continues
/// below the last stored page. A complete channel yields no element and makes no request.
///
/// Iterating throws `AppNetError` for a request that failed repeatedly, ``MessageBeastError`` of the kind
/// ``MessageBeastError/Kind/blocked`` if the channel has something to send, and `CancellationError`.
public struct FullSync: AsyncSequence, Sendable {
    /// The progress after a page.
    public typealias Element = SyncProgress

    let manager: MessageManager
    let channel: AppNetChannel.ID
    let filter: MessageFilter?

    /// Returns an iterator that starts the full sync, or continues an interrupted one.
    public func makeAsyncIterator() -> Iterator { Iterator(sync: self, progress: SyncProgress(channelID: channel)) }

    /// Runs the full sync to the end.
    ///
    /// - Returns: The progress after the last page.
    @discardableResult
    public func run() async throws -> SyncProgress {
        var progress = SyncProgress(channelID: channel, isComplete: true)
        for try await next in self { progress = next }
        return progress
    }

    /// The iterator of ``FullSync``.
    public struct Iterator: AsyncIteratorProtocol {
        let sync: FullSync
        var progress: SyncProgress

        /// Fetches and stores the next page.
        ///
        /// - Returns: `nil` if the full sync is complete.
        public mutating func next() async throws -> SyncProgress? {
            guard !progress.isComplete, let page = try await sync.manager.fullSyncPage(of: sync) else { return nil }
            progress.pages += 1
            progress.messages += page.summary.inserted
            progress.unreadable.add(page.unreadable)
            progress.isComplete = page.channel.syncState == .complete
            sync.manager.report(progress)
            return progress
        }
    }
}
