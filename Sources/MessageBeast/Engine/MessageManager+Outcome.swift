public import AppNet
internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore

/// The final state of a message in the outbox.
public enum SendOutcome: Sendable, Hashable {
    /// The service has the message with this id.
    case sent(Message.ID)
    /// The message waits for a decision of the user.
    case parked(ParkedReason)
    /// The message was deleted or discarded before it was sent.
    case deleted
}

extension MessageManager {
    /// Waits until a message was sent, parked or deleted, also by another process.
    ///
    /// A stored message is sent without this call. Cancelling the call changes nothing.
    ///
    /// ```swift
    /// let message = try await manager.create(Message(text: "Tea"), in: journal)  // stored
    /// if let id = message.message.id, case .parked(let reason) = try await manager.outcome(of: id) {
    ///     print("not sent: \(reason.message)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the message, which may be temporary.
    ///   - timeout: The timeout. Without a network, a message may wait much longer. Default: 5 minutes.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` for a message that is
    ///   not stored, ``MessageBeastError/Kind/timedOut``, and ``MessageBeastError/Kind/stopped``; `CancellationError`.
    nonisolated public func outcome(of id: Message.ID, timeout: Duration = .seconds(300)) async throws -> SendOutcome {
        // A draft does not count: it is not sent before it is promoted.
        guard let localID = try await message(id: id)?.id.rawValue else {
            throw MessageBeastError(.notFound, "the message \(id) is not stored")
        }
        let outcomes = Observation(context: context, tables: ObservedTables.messages) {
            try SendOutcome(of: localID, in: $0)
        }
        do {
            return try await Deadline(after: timeout, clock: context.clock).race {
                for try await outcome in outcomes {
                    if let outcome { return outcome }
                }
                throw MessageBeastError(.stopped, "the engine was stopped")
            }
        } catch is DeadlineExceeded {
            throw MessageBeastError(.timedOut, "the message \(id) was not sent in time; it remains in the outbox")
        }
    }
}

extension SendOutcome {
    /// Reads the outcome of a message; `nil` while it waits to be sent.
    fileprivate init?(of localID: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, kind FROM message WHERE local_id = ? AND hidden = 0"),
            arguments: [localID]
        )
        guard let row else {
            self = .deleted
            return
        }
        if row[1] == MessagePlus.State.sent.rawValue {
            self = .sent(Message.ID(row[0] as String))
        } else if let queued = try OutboxTable(database: database).row(localID), queued.state == .parked {
            self = .parked(ParkedReason(queued))
        } else {
            return nil
        }
    }
}
