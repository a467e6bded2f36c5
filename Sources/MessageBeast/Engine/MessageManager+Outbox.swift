public import AppNet
internal import GRDB
internal import HeliumJSON

/// The reason for which a message waits for the user.
public struct ParkedReason: Sendable, Hashable {
    /// A stable code: the kind of the `AppNetError`, `outcomeUnknown` or `maybeDeletedElsewhere`.
    public let code: String

    /// One sentence for people. It does not show the text of the message or a token.
    public let message: String
}

/// A message that waits for the user.
public struct ParkedMessage: Sendable, Equatable {
    /// The message.
    public let message: MessagePlus

    /// The reason.
    public let reason: ParkedReason
}

// MARK: Creating and deleting

extension MessageManager {
    /// Stores a message that is to be sent, and begins to send it.
    ///
    /// The message is stored durably when the call returns: it is listed, found by search, and sent once, whatever happens to
    /// the process. Its ``Message/id`` is temporary, and finds it for good.
    ///
    /// - Parameters:
    ///   - message: The message. It needs a text, or be machine-only and have an annotation.
    ///   - channel: A channel that is stored.
    ///   - sendsImmediately: Whether sending begins at once, in place of at the next call.
    /// - Returns: The message as it is stored.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/textMissing`` and
    ///   ``MessageBeastError/Kind/queueFull`` too; `AppNetError` for a message that breaks a rule of the service. Nothing is
    ///   stored then.
    nonisolated public func create(
        _ message: Message,
        in channel: AppNetChannel.ID,
        sendsImmediately: Bool = true
    ) async throws -> MessagePlus {
        let localID = try await MessageCreation(context: context, channel: channel).create(message)
        if sendsImmediately { outbox.wake(channel) }
        let configuration = context.configuration
        let stored = try await context.read { database in
            try MessageReader(database: database, configuration: configuration).message(localID: localID)
        }
        guard let stored else { throw MessageBeastError(.notFound, "the message was removed meanwhile") }
        return stored
    }

    /// Deletes a message, sent or not, with the actions on it. It disappears at once.
    ///
    /// The service is told as soon as it can be reached. Until then, ``cancelDeletion(of:)`` brings a sent message back.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` too.
    nonisolated public func delete(_ id: Message.ID) async throws {
        for channel in try await MessageDeletion(context: context).delete(id) { outbox.wake(channel) }
    }

    /// Undoes the deletion of a sent message, with its actions, unless the service was told already.
    ///
    /// - Returns: Whether the message is back.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func cancelDeletion(of id: Message.ID) async throws -> Bool {
        try await MessageDeletion(context: context).cancel(id)
    }
}

// MARK: Sending

extension MessageManager {
    /// Sends what waits in a channel, whatever it waits for, and returns when nothing can be sent at the moment.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    nonisolated public func sendAll(in channel: AppNetChannel.ID) async throws {
        let delay = try await outbox.drain(channel, isExplicit: true)
        if delay != nil { outbox.wake(channel) }
    }

    /// Sends what waits in all channels, for example when the network is back.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    nonisolated public func sendAll() async throws {
        for channel in try await context.read({ try OutboxTable(database: $0).channels() }) {
            try await sendAll(in: AppNetChannel.ID(channel))
        }
    }

    /// The messages that wait for a decision, oldest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func parkedMessages() async throws -> [ParkedMessage] {
        let configuration = context.configuration
        return try await context.read { try ParkedMessage.all(configuration: configuration, in: $0) }
    }

    /// Puts a parked message back into the queue, at its old place. One whose outcome is unknown is looked for on the service
    /// first.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` for a message that is not parked.
    nonisolated public func retry(_ id: Message.ID) async throws {
        let row = try await context.write(try context.life.term()) { database in
            let row = try Self.parked(id, in: database)
            try OutboxTable(database: database).unpark(row)
            return row
        }
        outbox.resume()
        outbox.wake(AppNetChannel.ID(row.channel))
    }

    /// Removes a parked message.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` for a message that is not parked.
    nonisolated public func discard(_ id: Message.ID) async throws {
        try await context.write(try context.life.term()) { database in
            try MessageRemoval(database: database).remove([try Self.parked(id, in: database).localID])
        }
    }

    private static func parked(_ id: Message.ID, in database: Database) throws -> OutboxRow {
        guard let localID = try MessageTable(database: database).localID(of: id),
            let row = try OutboxTable(database: database).row(localID), row.state == .parked
        else {
            throw MessageBeastError(.notFound, "no message with the id \(id) is parked")
        }
        return row
    }
}

extension MessageReader {
    /// The message with a local id; `nil` if it is hidden or not stored.
    func message(localID: Int64) throws -> MessagePlus? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(MessageRow.columns) FROM message AS m \(MessageRow.joins) WHERE m.local_id = ? AND m.hidden = 0
                """
        )
        return try MessageRow.fetch(statement, [localID], in: database).messages.first
    }
}
