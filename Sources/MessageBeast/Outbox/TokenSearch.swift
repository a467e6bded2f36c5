internal import AppNet
internal import GRDB

/// Searches the service for a message whose request may have taken effect (Docs/Protocols/MessageBeast.md §4.4).
struct TokenSearch: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    enum Finding: Sendable {
        case found(IncomingMessage)
        case missing
        /// The service has a message that may be this one, but is deleted or cannot be decoded.
        case undecided(ParkedReason)
    }

    /// Lists all messages newer than the newest one known before the attempt, or the whole channel if none was known.
    ///
    /// - Throws: `AppNetError`; ``MessageBeastError/Kind/protocolViolation``. The outcome remains unknown in that case.
    func find(_ row: OutboxRow) async throws -> Finding {
        let (id, localID) = (channel.text, row.localID)
        let (record, wanted) = try await context.read { database in
            let channel = try ChannelTable(database: database).required(id)
            return (channel, try UnsentShape(localID, in: database))
        }
        let list = context.client.messages.list(in: channel, parameters: ChannelParameters.complete(of: record))
        var deleted: [String] = []
        var isComplete = true
        var since = row.attemptCursor
        var before: Int64?
        while true {
            try Task.checkCancellation()
            let position = since.map { PageStore.Position.above($0) } ?? before.map { .below($0) } ?? .newest
            let page = try CheckedPage(
                try await list.page(position.bounds(pageSize: 200)),
                in: channel,
                since: since,
                before: before
            )
            for message in page.messages where isOwn(message) {
                if message.token?.hasSameBytes(as: row.token) == true {
                    let found = try IncomingMessage(
                        message,
                        configuration: context.configuration,
                        now: context.now.date
                    )
                    return .found(found)
                }
                if message.isDeleted == true, wanted.resembles(message), mayBe(message, row), let id = message.id?.text
                {
                    deleted.append(id)
                }
            }
            if !page.unreadable.isEmpty { isComplete = false }
            guard page.cursors.hasMore else { break }
            if since != nil { since = page.cursors.highest } else { before = page.cursors.lowest }
        }
        // Sending the message again would double it if an unreadable message is this one.
        guard isComplete else { return .undecided(.maybeUnreadable) }
        let candidates = deleted
        let isUnknown = try await context.read { database in
            let known = try MessageTable(database: database).localIDs(of: candidates)
            let pending = try PendingDeletionTable(database: database).pending(among: candidates, in: id)
            let deleted = DeletedIDTable(database: database)
            return try candidates.contains { candidate in
                try known[candidate] == nil && !pending.contains(candidate) && !deleted.contains(candidate)
            }
        }
        return isUnknown ? .undecided(.maybeDeletedElsewhere) : .missing
    }

    /// Returns whether an attempt may have created a message.
    ///
    /// Messages above the newest one that was known before the attempt may all be it. Without one, the whole channel is
    /// listed, and messages of earlier days are not it. The clocks may differ by a day.
    private func mayBe(_ message: Message, _ row: OutboxRow) -> Bool {
        guard row.attemptCursor == nil, let claimed = row.claimed, let created = message.createdAt else { return true }
        return Milliseconds(created) >= claimed - .seconds(86_400)
    }

    private func isOwn(_ message: Message) -> Bool {
        (message.user?.id ?? message.userID).map { $0 == context.account } ?? true
    }
}

/// The properties by which a deleted message may be recognized. If the message's document is unreadable, they are
/// unknown; the message is parked when its turn comes again.
private struct UnsentShape: Sendable {
    private let isReadable: Bool
    private let isMachineOnly: Bool
    private let replyTo: Message.ID?

    init(_ localID: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT coalesce(json_extract(json, '$.machine_only'), 0), json_extract(json, '$.reply_to')
                    FROM message WHERE local_id = ? AND json_valid(json)
                    """
            ),
            arguments: [localID]
        )
        isReadable = row != nil
        isMachineOnly = row?[0] ?? false
        let reply = (row?[1] as String?).map { Message.ID($0) }
        replyTo = try reply.flatMap(MessageTable(database: database).sentID)
    }

    func resembles(_ message: Message) -> Bool {
        isReadable && (message.isMachineOnly ?? false) == isMachineOnly && message.replyTo == replyTo
    }
}

extension Message {
    /// The token that the engine added to the message; `nil` if there is none.
    var token: String? {
        let value = firstAnnotation(ofType: MessageBeastNames.token)?.value
        return value?["token"]?.stringValue.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }
}
