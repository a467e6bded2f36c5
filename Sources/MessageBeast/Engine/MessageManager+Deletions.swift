public import AppNet

/// The deletion of a message that waits for the user, because the service refused it or failed too often.
///
/// The message is not stored any more. It does not block fetches, and no request is made for it. The deletion ends by itself
/// when a fetch, or `MessageManager.refresh(_:in:)`, finds that the service no longer has the message.
public struct ParkedDeletion: Sendable, Hashable {
    /// The id of the message on the service.
    public let messageID: Message.ID

    /// The channel of the message.
    public let channelID: AppNetChannel.ID

    /// A sentence to show to people. It contains nothing from the response of the service.
    public let reason: String

    /// Whether ``MessageManager/cancelDeletion(of:)`` restores the message: its content is still stored, and it is not a
    /// copy of another message.
    public let canBeCancelled: Bool
}

/// The deletion of a file that waits for the user, because the service refused it or failed too often.
public struct ParkedFileDeletion: Sendable, Hashable {
    /// The id of the file on the service.
    public let fileID: File.ID

    /// A sentence to show to people. It contains nothing from the response of the service.
    public let reason: String
}

// MARK: Messages

extension MessageManager {
    /// Returns the deletions of messages that wait for a decision, oldest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func parkedDeletions() async throws -> [ParkedDeletion] {
        try await context.read { try PendingDeletionTable(database: $0).parked() }
    }

    /// Sends a parked deletion again.
    ///
    /// - Parameter id: The id of the message, which may be temporary.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` if no deletion of the
    ///   message is parked.
    nonisolated public func retryDeletion(of id: Message.ID) async throws {
        try await context.write(try context.life.term()) { database in
            guard try PendingDeletionTable(database: database).unpark(id) else {
                throw Self.noParkedDeletion(of: "message \(id)")
            }
        }
        outbox.resume()
    }

    /// Gives up a parked deletion. The message stays on the service, and is neither stored nor fetched here.
    ///
    /// Use ``cancelDeletion(of:)`` to have the message back instead.
    ///
    /// - Parameter id: The id of the message, which may be temporary.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` if no deletion of the
    ///   message is parked.
    nonisolated public func discardDeletion(of id: Message.ID) async throws {
        try await context.write(try context.life.term()) { database in
            guard try PendingDeletionTable(database: database).discard(id) else {
                throw Self.noParkedDeletion(of: "message \(id)")
            }
        }
    }

    private static func noParkedDeletion(of subject: String) -> MessageBeastError {
        MessageBeastError(.notFound, "no deletion of the \(subject) is parked")
    }
}

// MARK: Files

extension MessageManager {
    /// Returns the deletions of files that wait for a decision, oldest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func parkedFileDeletions() async throws -> [ParkedFileDeletion] {
        try await context.read { try FileDeletionTable(database: $0).parked() }
    }

    /// Sends a parked deletion of a file again, for example with a token that has the scope `files`.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` if no deletion of the file
    ///   is parked.
    nonisolated public func retryFileDeletion(of id: File.ID) async throws {
        try await context.write(try context.life.term()) { database in
            guard try FileDeletionTable(database: database).unpark(id) else {
                throw Self.noParkedDeletion(of: "file \(id)")
            }
        }
        outbox.resume()
    }

    /// Gives up a parked deletion of a file. The file stays on the service.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` if no deletion of the file
    ///   is parked.
    nonisolated public func discardFileDeletion(of id: File.ID) async throws {
        try await context.write(try context.life.term()) { database in
            guard try FileDeletionTable(database: database).discard(id) else {
                throw Self.noParkedDeletion(of: "file \(id)")
            }
        }
    }
}
