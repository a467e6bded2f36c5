public import AppNet
public import Foundation
internal import GRDB

/// A message that waits to be sent.
public struct OutboxItem: Sendable, Equatable {
    /// The progress of sending a message.
    public enum State: Sendable, Hashable {
        /// The message is sent when its turn comes.
        case queued
        /// The files of the message are being uploaded.
        case uploading
        /// The request is running, or its outcome is being determined.
        case sending
        /// The message waits for the user.
        case parked(ParkedReason)
    }

    /// The message. ``MessagePlus/sendAttemptsCount`` is the number of failed attempts.
    public let message: MessagePlus

    /// The progress.
    public let state: State

    /// The time before which the message is not retried without an explicit call; `nil` if it does not wait for a time.
    public let nextAttempt: Date?

    /// Whether another unsent message must be sent first.
    public let isWaitingForMessage: Bool
}

extension MessageManager {
    /// Returns the unsent messages, including parked ones, in the order in which they are sent.
    ///
    /// - Parameter channel: The channel. Default: `nil`, all channels.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func outbox(of channel: AppNetChannel.ID? = nil) async throws -> [OutboxItem] {
        let configuration = context.configuration
        return try await context.read { try OutboxItem.items(of: channel, configuration: configuration, in: $0) }
    }
}

extension OutboxItem {
    static func items(
        of channel: AppNetChannel.ID?,
        configuration: MessageManagerConfiguration,
        in database: Database
    ) throws -> [OutboxItem] {
        let reader = MessageReader(database: database, configuration: configuration)
        return try OutboxTable(database: database).visible(in: channel?.text).compactMap { row in
            try reader.unsent(row).map { OutboxItem($0, row) }
        }
    }

    private init(_ message: MessagePlus, _ row: OutboxRow) {
        self.message = message
        state =
            switch row.state {
            case .queued: .queued
            case .uploading: .uploading
            case .sending: .sending
            case .parked: .parked(ParkedReason(row))
            }
        nextAttempt = row.nextAttempt.value > 0 ? row.nextAttempt.date : nil
        isWaitingForMessage = row.isWaiting
    }
}

extension ParkedReason {
    init(_ row: OutboxRow) {
        self.init(code: row.errorCode ?? "", message: row.errorText ?? "", needsEdit: row.isRejected)
    }
}

extension ParkedMessage {
    /// Returns the parked messages of all channels, oldest first.
    static func all(configuration: MessageManagerConfiguration, in database: Database) throws -> [ParkedMessage] {
        let reader = MessageReader(database: database, configuration: configuration)
        return try OutboxTable(database: database).parked().compactMap { row in
            try reader.unsent(row).map { ParkedMessage(message: $0, reason: ParkedReason(row)) }
        }
    }
}

extension MessageReader {
    /// Returns a message of the outbox; `nil` if it is hidden.
    ///
    /// A message whose document cannot be read has an id and no content. It can be edited or discarded.
    fileprivate func unsent(_ row: OutboxRow) throws -> MessagePlus? {
        if let message = try message(localID: row.localID) { return message }
        let position = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT display_date_ms, sort_key FROM message WHERE local_id = ? AND hidden = 0"
            ),
            arguments: [row.localID]
        )
        guard let position else { return nil }
        let channel = AppNetChannel.ID(row.channel)
        var message = Message(id: Message.ID(row.token))
        message.channelID = channel
        return MessagePlus(
            id: MessagePlus.ID(row.localID),
            message: message,
            channelID: channel,
            displayDate: Milliseconds(position[0] as Int64).date,
            displayLocation: nil,
            state: .unsent,
            sendAttemptsCount: row.attempts,
            pendingFileAttachments: try MessageRow.attachments(of: row.localID, in: database),
            cursor: MessageCursor(displayDate: position[0], sortKey: position[1])
        )
    }
}

extension OutboxTable {
    /// Returns the number of unsent messages that are not hidden.
    func visibleCount(in channel: String?) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM outbox AS o CROSS JOIN message AS m ON m.local_id = o.local_id
                    WHERE m.hidden = 0 AND (?1 IS NULL OR m.channel_id = ?1)
                    """
            ),
            arguments: [channel]
        ) ?? 0
    }
}
