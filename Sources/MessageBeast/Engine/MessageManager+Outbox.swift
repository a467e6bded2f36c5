public import AppNet
internal import GRDB
internal import HeliumJSON

/// The reason for which a message waits for the user.
public struct ParkedReason: Sendable, Hashable {
    /// A stable code: the kind of the `AppNetError`, `outcomeUnknown`, `maybeDeletedElsewhere`, `damaged`, `fileMissing` or
    /// `fileParked`; of files also `contentRefused`.
    public let code: String

    /// One sentence for people. It does not show the text of the message or a token, and nothing of what the service said,
    /// which might quote them.
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
    ///   - attachments: The staged files to send with it, in the order of their annotations. They are uploaded first, and
    ///     the messages behind this one in the channel wait for that. A file may be used by several messages.
    ///   - sendsImmediately: Whether sending begins at once, in place of at the next call.
    /// - Returns: The message as it is stored.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/textMissing``,
    ///   ``MessageBeastError/Kind/queueFull`` and ``MessageBeastError/Kind/notFound`` for a file too; `AppNetError` for a
    ///   message that breaks a rule of the service. Nothing is stored then.
    nonisolated public func create(
        _ message: Message,
        in channel: AppNetChannel.ID,
        attachments: [PendingFileAttachment] = [],
        sendsImmediately: Bool = true
    ) async throws -> MessagePlus {
        let localID = try await MessageCreation(context: context, channel: channel).create(
            message,
            attachments: attachments
        )
        if sendsImmediately { outbox.wake(channel) }
        geocoding?.wake()
        let configuration = context.configuration
        let stored = try await context.read { database in
            try MessageReader(database: database, configuration: configuration).message(localID: localID)
        }
        guard let stored else { throw MessageBeastError(.notFound, "the message was removed meanwhile") }
        return stored
    }

    /// Deletes a message, sent or not, with the actions on it. It disappears at once.
    ///
    /// The service is told as soon as it can be reached. Until then, ``cancelDeletion(of:)`` brings a sent message back. Files
    /// of an unsent message that no other one uses are removed, and deleted on the service if they were uploaded.
    ///
    /// - Parameters:
    ///   - id: The message.
    ///   - deletesFiles: Whether the files that a sent message shows are deleted on the service too: those of its embedded
    ///     content and of its attachments.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` too.
    nonisolated public func delete(_ id: Message.ID, deletingFiles deletesFiles: Bool = false) async throws {
        let deletion = MessageDeletion(context: context)
        for channel in try await deletion.delete(id, deletingFiles: deletesFiles) { outbox.wake(channel) }
        outbox.files.wake()
    }

    /// Undoes the deletion of a sent message, unless the service was told already. The actions that were on it are on again,
    /// whether or not the service was told of theirs. Files that were deleted with it are kept unless the service was told
    /// of them.
    ///
    /// - Returns: Whether the message is back.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func cancelDeletion(of id: Message.ID) async throws -> Bool {
        guard let channels = try await MessageDeletion(context: context).cancel(id) else { return false }
        for channel in channels { outbox.wake(channel) }
        return true
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
        try await outbox.files.sendDeletions()
    }

    /// Sends what waits in all channels, for example when the network is back.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    nonisolated public func sendAll() async throws {
        try await outbox.resume()
        for channel in try await context.read({ try OutboxTable(database: $0).channels() }) {
            try await sendAll(in: AppNetChannel.ID(channel))
        }
        try await outbox.files.sendDeletions()
    }

    /// The messages that wait for a decision, oldest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func parkedMessages() async throws -> [ParkedMessage] {
        let configuration = context.configuration
        return try await context.read { try ParkedMessage.all(configuration: configuration, in: $0) }
    }

    /// Puts a parked message back into the queue, at its old place, with its parked files. One whose outcome is unknown is
    /// looked for on the service first.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` for a message that is not parked.
    nonisolated public func retry(_ id: Message.ID) async throws {
        let row = try await context.write(try context.life.term()) { database in
            let row = try Self.parked(id, in: database)
            try OutboxTable(database: database).unpark(row)
            try PendingFileTable(database: database).unparkFiles(of: row.localID)
            return row
        }
        try await outbox.resume()
        outbox.wake(AppNetChannel.ID(row.channel))
    }

    /// Replaces the content of a message that was not sent, and puts it back into the queue, at its old place.
    ///
    /// It keeps its ``MessagePlus/id``, its place in lists and its files. If a request with it was made before, it gets a new
    /// temporary id; the old one still finds it. One whose outcome is unknown is looked for on the service first.
    ///
    /// - Returns: The message as it is stored.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/notEditable`` and
    ///   ``MessageBeastError/Kind/textMissing`` too; `AppNetError` for a message that breaks a rule of the service, or if the
    ///   service could not be asked. The message remains as it was then.
    nonisolated public func edit(_ id: Message.ID, to message: Message) async throws -> MessagePlus {
        let channel = try await outbox.edit(id, to: message)
        guard let stored = try await self.message(id: id) else {
            throw MessageBeastError(.notFound, "the message was removed meanwhile")
        }
        outbox.wake(channel)
        geocoding?.wake()
        return stored
    }

    /// Removes a parked message.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` for a message that is not parked.
    nonisolated public func discard(_ id: Message.ID) async throws {
        try await context.write(try context.life.term()) { database in
            try MessageRemoval(database: database).remove([try Self.parked(id, in: database).localID])
        }
        outbox.files.wake()
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
