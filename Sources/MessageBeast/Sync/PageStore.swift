internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumCore

/// A stored page.
struct StoredPage: Sendable {
    var summary: IngestSummary
    var excluded: [MessagePlus]
    /// The messages that could not be decoded or used. The cursors moved over them.
    var unreadable: UnreadableItems
    /// The state of the channel after the page.
    var channel: ChannelRecord
}

/// Stores pages of a channel together with the cursors that they move.
struct PageStore: Sendable {
    /// The position of a page in its channel.
    enum Position: Hashable, Sendable {
        /// The newest messages of a channel without cursors.
        case newest
        /// The messages directly below an id.
        case below(Int64)
        /// The messages directly above an id; `nil` for the oldest messages of a channel that was empty.
        case above(Int64?)

        /// Returns the request for the page.
        func bounds(pageSize: Int) -> PageBounds {
            switch self {
            case .newest: PageBounds(count: pageSize)
            case .below(let id): PageBounds(before: ListPosition(String(id)), count: pageSize)
            case .above(let id): PageBounds(since: ListPosition(String(id ?? 0)), count: -pageSize)
            }
        }
    }

    let context: EngineContext
    let channel: AppNetChannel.ID
    let filter: MessageFilter?

    /// Checks a page and stores it. Messages that cannot be used are left out and reported.
    ///
    /// - Returns: `nil` if another engine moved the cursor after the page was requested. Nothing is stored in that
    ///   case.
    /// - Throws: ``MessageBeastError``.
    func store(_ page: Page<Message>, at position: Position, _ term: EngineLife.Term) async throws -> StoredPage? {
        let page = try check(page, at: position)
        let cursors = page.cursors
        let now = context.now
        let (messages, excluded) = try split(page.messages, now: now.date)
        let excludedIDs = Set(excluded.compactMap(\.message.id?.text))
        let (configuration, random) = (context.configuration, context.random)
        let channel = channel.text
        let stored = try await context.write(term) { [context] database -> (IngestSummary, ChannelRecord)? in
            let table = ChannelTable(database: database)
            var record = try table.required(channel)
            guard Self.isCurrent(position, record) else { return nil }
            let ingest = PageIngest(channel: record, configuration: configuration, now: now, random: random)
            let summary = try ingest.store(messages, excluding: excludedIDs, in: database)
            record.move(to: position, cursors)
            try table.setSync(record)
            context.reached(.pageStoring)
            return (summary, record)
        }
        context.reached(.pageStored)
        guard let (summary, record) = stored else { return nil }
        if !page.unreadable.isEmpty { context.events.send(.warning(.unreadable(page.unreadable, in: self.channel))) }
        summary.report(for: self.channel, context)
        return StoredPage(
            summary: summary,
            excluded: excluded.filter { $0.message.id.map { !summary.included.contains($0.text) } ?? true },
            unreadable: page.unreadable,
            channel: record
        )
    }

    private func check(_ page: Page<Message>, at position: Position) throws -> CheckedPage {
        switch position {
        case .newest: try CheckedPage(page, in: channel)
        case .below(let id): try CheckedPage(page, in: channel, before: id)
        case .above(let id): try CheckedPage(page, in: channel, since: id)
        }
    }

    /// Applies the filter.
    ///
    /// - Returns: The messages to store, among them the excluded ones with a token, on which the transaction decides;
    ///   and all excluded messages.
    private func split(_ page: [Message], now: Date) throws -> (messages: [IncomingMessage], excluded: [MessagePlus]) {
        var messages: [IncomingMessage] = []
        messages.reserveCapacity(page.count)
        var excluded: [MessagePlus] = []
        for message in page {
            let incoming = try IncomingMessage(message, configuration: context.configuration, now: now)
            if let filter, !incoming.isDeleted {
                let candidate = MessagePlus(unstored: message, incoming, in: channel)
                if filter(candidate) {
                    excluded.append(candidate)
                    if incoming.token == nil { continue }
                }
            }
            messages.append(incoming)
        }
        return (messages, excluded)
    }

    /// Returns whether the channel is in the same state as when the page was requested.
    private static func isCurrent(_ position: Position, _ record: ChannelRecord) -> Bool {
        switch position {
        case .newest: record.newestCursor == nil && record.backfillCursor == nil && record.syncState != .complete
        case .below(let id): record.backfillCursor == id
        case .above(let id): record.newestCursor == id
        }
    }
}

extension ChannelRecord {
    /// Moves the cursors over a page.
    fileprivate mutating func move(to position: PageStore.Position, _ page: PageCursors) {
        switch position {
        case .newest:
            newestCursor = page.highest
            backfillCursor = page.lowest
            if !page.hasMore { syncState = .complete }
        case .below:
            backfillCursor = page.lowest ?? backfillCursor
            if !page.hasMore { syncState = .complete }
        case .above:
            newestCursor = page.highest ?? newestCursor
        }
    }
}

extension MessagePlus {
    /// Creates a message that is not stored. Its identity is derived from its id.
    init(unstored message: Message, _ incoming: IncomingMessage, in channel: AppNetChannel.ID) {
        var location: DisplayLocation?
        if case .complete(let found, _)? = incoming.derivation.locations.first { location = found }
        self.init(
            id: ID(-1 - incoming.sortKey),
            message: message,
            channelID: channel,
            displayDate: incoming.derivation.displayDate.date,
            displayLocation: location,
            state: .sent,
            sendAttemptsCount: 0,
            pendingFileAttachments: [],
            cursor: MessageCursor(displayDate: incoming.derivation.displayDate.value, sortKey: incoming.sortKey)
        )
    }
}

extension IngestSummary {
    /// Sends the events of stored messages.
    func report(for channel: AppNetChannel.ID, _ context: EngineContext) {
        for id in withoutTarget { context.events.send(.warning(.actionWithoutTarget(Message.ID(id), in: channel))) }
        for id in deleted { context.events.send(.deleted(channel, Message.ID(id))) }
        for id in changedCopies { context.events.send(.warning(.changedCopy(Message.ID(id), in: channel))) }
        for adoption in adopted {
            let pair = MessageManager.SentMessage(
                temporaryID: Message.ID(adoption.temporaryID),
                serverID: Message.ID(adoption.id)
            )
            context.events.send(.sent(channel, pair))
        }
    }
}
