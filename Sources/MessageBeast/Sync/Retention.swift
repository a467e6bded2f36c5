internal import AppNet
internal import GRDB

/// A rule for the messages of a channel that are kept on this device.
///
/// Messages that an engine of the account wrote in the last two days are always kept. The network may deliver a request
/// twice, and the copy is recognized by comparing it with the stored message.
public struct MessageRetention: Sendable, Hashable {
    /// The maximum number of messages to keep: those with the newest display dates. Default: `nil`, no limit.
    public var maximumCount: Int?

    /// The maximum age, by display date, of messages to keep. Default: `nil`, no limit.
    public var maximumAge: Duration?

    /// Creates a rule.
    public init(maximumCount: Int? = nil, maximumAge: Duration? = nil) {
        self.maximumCount = maximumCount
        self.maximumAge = maximumAge
    }
}

/// Removes old messages from the store. The service keeps them. Unsent messages are never removed.
struct Retention: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    private static let batchSize = 500

    /// Removes the messages that a rule does not keep.
    ///
    /// - Returns: The number of removed messages.
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for negative limits, and for action channels, whose
    ///   messages are the state of the actions.
    func apply(_ rule: MessageRetention) async throws -> Int {
        guard rule.maximumCount ?? 0 >= 0, rule.maximumAge ?? .zero >= .zero else {
            throw MessageBeastError(.invalidArgument, "the limits of a retention must not be negative")
        }
        let term = try context.life.term()
        let oldest = rule.maximumAge.map { context.now - $0 }
        let (id, count) = (channel.text, rule.maximumCount)
        let limit = try await context.read { database in
            try Self.check(id, in: database)
            return try count.flatMap { try Self.position(after: $0, of: id, in: database) }
        }
        // Copies are recognized for one day (Docs/Protocols/MessageBeast.md §4.4). A second day allows for clock
        // errors.
        let recent = context.now - .seconds(2 * 86_400)
        var removed = 0
        while limit != nil || oldest != nil {
            try Task.checkCancellation()
            let step = try await context.write(term) { database in
                try Self.remove(from: id, downFrom: limit, before: oldest, sparing: recent, in: database)
            }
            removed += step
            if step < Self.batchSize { break }
        }
        return removed
    }

    private static func check(_ id: String, in database: Database) throws {
        let channel = try ChannelTable(database: database).required(id)
        guard channel.kind == .private else {
            throw MessageBeastError(.invalidArgument, "an action channel cannot have a retention")
        }
    }

    /// Returns the position of the newest message that is not kept; `nil` if all are kept.
    private static func position(after count: Int, of channel: String, in database: Database) throws -> MessageCursor? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT display_date_ms, sort_key FROM message
                    WHERE channel_id = ? AND hidden = 0 AND kind = 'sent'
                    ORDER BY display_date_ms DESC, sort_key DESC LIMIT 1 OFFSET ?
                    """
            ),
            arguments: [channel, count]
        )
        return row.map { MessageCursor(displayDate: $0[0], sortKey: $0[1]) }
    }

    /// Removes the next messages. Tokens are not retired, because the messages were not deleted.
    private static func remove(
        from channel: String,
        downFrom limit: MessageCursor?,
        before oldest: Milliseconds?,
        sparing recent: Milliseconds,
        in database: Database
    ) throws -> Int {
        try database.cachedStatement(
            sql: """
                DELETE FROM message WHERE local_id IN (
                    SELECT m.local_id FROM message AS m
                    WHERE m.channel_id = ?1 AND m.hidden = 0 AND m.kind = 'sent'
                    AND ((m.display_date_ms, m.sort_key) <= (?2, ?3) OR m.display_date_ms < ?4)
                    AND (m.client_token IS NULL OR m.created_ms < ?6)
                    AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.depends_on_local_id = m.local_id)
                    ORDER BY m.display_date_ms, m.sort_key LIMIT ?5
                )
                """
        ).execute(arguments: [
            channel, limit?.displayDate ?? .min, limit?.sortKey ?? .min, oldest?.value ?? .min, batchSize,
            recent.value,
        ])
        return database.changesCount
    }
}
