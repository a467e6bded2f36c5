public import AppNet
internal import GRDB
internal import HeliumJSON

/// The reason why a message waits for the user.
public struct ParkedReason: Sendable, Hashable {
    /// A stable code: the kind of the `AppNetError`, `outcomeUnknown`, `maybeDeletedElsewhere`, `damaged`,
    /// `fileMissing` or `fileParked`. For files also `contentRefused`.
    ///
    /// `maybeDeletedElsewhere` is also the code if the service has a message that cannot be decoded and may be this one.
    public let code: String

    /// A sentence to show to people.
    ///
    /// It contains neither the text of the message nor a token. It contains nothing from the response of the service,
    /// which might quote them.
    public let message: String

    /// Whether the message must be edited before it is sent again (``FailureClass/reject``).
    /// ``MessageManager/retry(_:)`` throws in that case. Always `false` for files.
    public let needsEdit: Bool

    init(code: String, message: String, needsEdit: Bool = false) {
        self.code = code
        self.message = message
        self.needsEdit = needsEdit
    }
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
    /// Stores an unsent message and starts sending it.
    ///
    /// The message is stored durably when the call returns: it is listed, found by search, and sent exactly once, even
    /// if the process is killed. Its message id is temporary and remains valid after sending.
    ///
    /// - Parameters:
    ///   - message: The message. It needs a text, or it must be machine-only and have an annotation.
    ///   - channel: A stored channel.
    ///   - attachments: The staged files to send with it, in the order of their annotations. They are uploaded first,
    ///     and later messages of the channel wait for the upload. Several messages may use one file.
    ///   - sendsImmediately: Whether sending starts at once. If `false`, the message waits until the channel is next
    ///     sent.
    /// - Returns: The stored message.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/textMissing``,
    ///   ``MessageBeastError/Kind/queueFull`` and, for a missing file, ``MessageBeastError/Kind/notFound``;
    ///   `AppNetError` for a message that breaks a rule of the service. Nothing is stored in that case.
    nonisolated public func create(
        _ message: Message,
        in channel: AppNetChannel.ID,
        attachments: [PendingFileAttachment] = [],
        sendsImmediately: Bool = true
    ) async throws -> MessagePlus {
        try await MessageCreation(context: context, channel: channel).create(
            message,
            attachments: attachments,
            sends: sendsImmediately
        )
    }

    /// Deletes a message, sent or unsent, with the actions on it. It disappears from the store at once.
    ///
    /// The deletion is sent as soon as the service can be reached. Until then, ``cancelDeletion(of:)`` restores a sent
    /// message. Files of an unsent message that no other message uses are removed, and deleted on the service if they
    /// were uploaded.
    ///
    /// - Parameters:
    ///   - id: The message.
    ///   - deletesFiles: Whether the files that a sent message shows are also deleted on the service: the files of its
    ///     embedded content and of its attachments.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound``.
    nonisolated public func delete(_ id: Message.ID, deletingFiles deletesFiles: Bool = false) async throws {
        try await MessageDeletion(context: context).delete(id, deletingFiles: deletesFiles)
    }

    /// Cancels the deletion of a sent message, unless its request was already sent. A deletion that the service refused
    /// (``parkedDeletions()``) is cancelled too: if the service has deleted the message after all, the next
    /// ``reconcile(_:)`` removes it again.
    ///
    /// The actions that were on the message are restored, even if their deletions were already sent. Files that were
    /// deleted with it are kept unless the request for their deletion was sent.
    ///
    /// - Returns: Whether the message was restored.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func cancelDeletion(of id: Message.ID) async throws -> Bool {
        try await MessageDeletion(context: context).cancel(id)
    }
}

// MARK: Sending

extension MessageManager {
    /// Sends the pending work of a channel and returns when nothing can be sent at the moment.
    ///
    /// Work that waits for a time or for a sign-in is sent too.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    nonisolated public func sendAll(in channel: AppNetChannel.ID) async throws {
        _ = try await outbox.drain(channel, isExplicit: true)
        try await outbox.files.sendDeletions()
    }

    /// Sends the pending work of all channels, for example when the network is available again.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    nonisolated public func sendAll() async throws {
        outbox.resume()
        var (channels, left) = try await context.read { database -> ([String], Int) in
            let outbox = OutboxTable(database: database)
            return (try outbox.channels(), try outbox.unparkedCount())
        }
        while !channels.isEmpty {
            for channel in channels { try await sendAll(in: AppNetChannel.ID(channel)) }
            // A sent message may have released messages of a channel that came before its own, such as an action on it.
            let (now, before) = (context.now, left)
            (channels, left) = try await context.read { database -> ([String], Int) in
                let outbox = OutboxTable(database: database)
                let channels = try outbox.channels().filter { try outbox.isDue($0, now: now) }
                return (channels, try outbox.unparkedCount())
            }
            // Otherwise nothing was sent, and repeating it would not help.
            guard left < before else { break }
        }
        try await outbox.files.sendDeletions()
    }

    /// Returns the messages that wait for a decision, oldest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func parkedMessages() async throws -> [ParkedMessage] {
        let configuration = context.configuration
        return try await context.read { try ParkedMessage.all(configuration: configuration, in: $0) }
    }

    /// Puts a parked message with its parked files back into the queue, at its former position.
    ///
    /// A message whose outcome is unknown is first searched for on the service. A message that may have been deleted on
    /// another device (`maybeDeletedElsewhere`) gets a new temporary id; the old one remains valid. Without that, the
    /// other device would take it for a copy of the message that it deleted.
    ///
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` for a message that is
    ///   not parked, and ``MessageBeastError/Kind/invalidArgument`` for one that must be edited before it is sent again
    ///   (``ParkedReason/needsEdit``).
    nonisolated public func retry(_ id: Message.ID) async throws {
        let fresh = context.random.uuid()
        try await context.write(try context.life.term()) { database in
            let row = try Self.parked(id, in: database)
            guard !row.isRejected else {
                throw MessageBeastError(.invalidArgument, "the message \(id) was rejected: edit it before you retry it")
            }
            // A message without a readable document is not sent, so it keeps its token.
            let isRenewed = try row.isPerhapsDeleted && TokenRenewal(database: database).requeue(row, as: fresh)
            if !isRenewed { try OutboxTable(database: database).unpark(row) }
            try PendingFileTable(database: database).unparkFiles(of: row.localID)
        }
        outbox.resume()
    }

    /// Replaces the content of an unsent message and puts it back into the queue, at its former position.
    ///
    /// The message keeps its ``MessagePlus/id``, its position in lists and its files. If a request with it was made
    /// before, it gets a new temporary id; the old one remains valid. A message whose outcome is unknown is first
    /// searched for on the service.
    ///
    /// - Returns: The stored message.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notEditable`` and
    ///   ``MessageBeastError/Kind/textMissing``, and ``MessageBeastError/Kind/invalidArgument`` for the message of an
    ///   action; `AppNetError` for a message that breaks a rule of the service, or if the request to the service failed. The message is unchanged in that case.
    nonisolated public func edit(_ id: Message.ID, to message: Message) async throws -> MessagePlus {
        try await outbox.edit(id, to: message)
    }

    /// Removes a parked message.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` for a message that is
    ///   not parked.
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
    /// Returns the message with a local id; `nil` if it is hidden or not stored.
    func message(localID: Int64) throws -> MessagePlus? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(MessageRow.columns) FROM message AS m \(MessageRow.joins) WHERE m.local_id = ? AND m.hidden = 0
                """
        )
        return try MessageRow.fetch(statement, [localID], in: database).messages.first
    }

    /// Returns the message that a transaction has stored.
    ///
    /// - Throws: ``MessageBeastError/Kind/damaged`` if it cannot be read, which ends the transaction.
    func requiredMessage(localID: Int64) throws -> MessagePlus {
        guard let message = try message(localID: localID) else {
            throw MessageBeastError(.damaged, "the stored message cannot be read")
        }
        return message
    }
}
