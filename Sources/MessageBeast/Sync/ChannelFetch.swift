internal import AppNet
internal import GRDB

/// Fetches pages of one channel. The caller holds the channel's lock.
struct ChannelFetch: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID
    /// The filter of this fetch. That of the channel applies too.
    var filter: MessageFilter?
    /// Sends pending work before a fetch checks whether anything blocks it.
    var drain: @Sendable (AppNetChannel.ID) async throws -> Void = { _ in }

    /// Fetches everything newer than the stored messages, oldest first, so that an interruption leaves no gap.
    ///
    /// If nothing of the channel is stored, its newest page is fetched.
    func newest() async throws -> FetchOutcome {
        let term = try context.life.term()
        var summary = FetchSummary()
        // What earlier fetches that failed have excluded is not fetched again, so this one reports it.
        summary.excluded = context.unreported.take(of: channel)
        var isReported = false
        defer { if !isReported { context.unreported.keep(summary.excluded, of: channel, in: term, of: context.life) } }
        while true {
            let channel = try await record()
            if let work = try await blockingWork() { return .blocked(work) }
            let position = channel.newerPosition
            guard let (stored, hasMore) = try await page(at: position, of: channel, term) else { continue }
            summary.add(stored)
            if position == .newest || !hasMore {
                isReported = true
                return .fetched(summary)
            }
        }
    }

    /// Fetches the page below the oldest known message.
    func more() async throws -> FetchOutcome {
        let term = try context.life.term()
        while true {
            let channel = try await record()
            guard channel.syncState != .complete else { return .fetched(FetchSummary()) }
            if let work = try await blockingWork() { return .blocked(work) }
            guard let (stored, _) = try await page(at: channel.olderPosition, of: channel, term) else { continue }
            var summary = FetchSummary()
            summary.add(stored)
            return .fetched(summary)
        }
    }

    /// Fetches the next page of a full sync.
    ///
    /// - Returns: `nil` if the full sync is complete.
    /// - Throws: ``MessageBeastError/Kind/blocked``.
    func fullSyncPage() async throws -> StoredPage? {
        let term = try context.life.term()
        while true {
            let channel = try await record()
            guard channel.syncState != .complete else { return nil }
            if let work = try await blockingWork() { throw Self.blocked(work, channel.id) }
            if channel.syncState == .notStarted { try await begin(term) }
            if let (stored, _) = try await page(at: channel.olderPosition, of: channel, term) { return stored }
        }
    }

    /// Records that a full sync has started.
    private func begin(_ term: EngineLife.Term) async throws {
        let id = channel.text
        try await context.write(term) { database in
            let table = ChannelTable(database: database)
            guard var channel = try table.channel(id), channel.syncState == .notStarted else { return }
            channel.syncState = .started
            try table.setSync(channel)
        }
    }

    /// Requests a page and stores it.
    ///
    /// - Returns: `nil` if another engine moved the cursor in the meantime.
    private func page(
        at position: PageStore.Position,
        of record: ChannelRecord,
        _ term: EngineLife.Term
    ) async throws -> (StoredPage, hasMore: Bool)? {
        try Task.checkCancellation()
        let list = context.client.messages.list(in: channel, parameters: ChannelParameters.parameters(of: record))
        let bounds = position.bounds(pageSize: context.options.pageSize)
        let page = try await ReadAttempts(context: context)({ try await list.page(bounds) })
        let filter = context.filters.filter(of: record, and: filter)
        let store = PageStore(context: context, channel: channel, filter: filter)
        guard let stored = try await store.store(page, at: position, term) else { return nil }
        return (stored, page.hasMore)
    }

    private func record() async throws -> ChannelRecord {
        let id = channel.text
        return try await context.read { database in
            let channel = try ChannelTable(database: database).required(id)
            return channel
        }
    }

    private func blockingWork() async throws -> BlockingWork? {
        guard context.options.fetchPolicy == .sendThenFetch else { return nil }
        let id = channel.text
        guard try await context.read({ try ChannelTable(database: $0).blockingWork(of: id) }) != nil else { return nil }
        try await drain(channel)
        return try await context.read { try ChannelTable(database: $0).blockingWork(of: id) }
    }

    static func blocked(_ work: BlockingWork, _ channel: String) -> MessageBeastError {
        MessageBeastError(
            .blocked,
            "channel \(channel) has \(work.unsent) unsent messages and \(work.pendingDeletions) pending deletions",
            blockingWork: work
        )
    }
}

extension ChannelRecord {
    /// The position of the page below the oldest known message.
    fileprivate var olderPosition: PageStore.Position { backfillCursor.map { .below($0) } ?? .newest }

    /// The position of the page above the newest known message.
    fileprivate var newerPosition: PageStore.Position {
        newestCursor == nil && syncState != .complete ? .newest : .above(newestCursor)
    }
}
