internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Deletes a message here and queues its deletion on the service (Docs/Protocols/MessageBeast.md §4.6).
struct MessageDeletion: Sendable {
    let context: EngineContext

    /// Deletes a message and the actions on it.
    ///
    /// - Parameter deletesFiles: Whether the files that a sent message shows are deleted on the service.
    /// - Throws: ``MessageBeastError/Kind/notFound``.
    func delete(_ id: Message.ID, deletingFiles deletesFiles: Bool = false) async throws {
        let term = try context.life.term()
        let stored: @Sendable (()) -> Void = { [context] _ in context.reached(.deleting) }
        try await context.write(term, committed: stored) { database in
            guard let localID = try MessageTable(database: database).localID(of: id) else {
                throw MessageBeastError(.notFound, "the message \(id) is not stored")
            }
            if deletesFiles { try FileDeletionTable(database: database).insertFiles(of: localID) }
            // The actions on the message are deleted first, while they are known. The snapshot is taken before, because
            // it names their channels.
            let snapshot = try MessageSnapshot(of: localID, in: database)
            for action in try Self.actions(on: localID, in: database) { try Self.delete(action, in: database) }
            try Self.delete(localID, snapshot, in: database)
        }
    }

    /// Cancels a deletion that no engine has started to send, or that the service has refused.
    ///
    /// The id of the message may be temporary. The actions that were on the message are restored: an unsent deletion of
    /// an action is cancelled; otherwise another action is queued.
    ///
    /// - Returns: Whether the message was restored.
    func cancel(_ id: Message.ID) async throws -> Bool {
        let term = try context.life.term()
        let (configuration, now, random) = (context.configuration, context.now, context.random)
        return try await context.write(term) { database in
            let table = PendingDeletionTable(database: database)
            guard let deletion = try table.undoable(id),
                let snapshot = try? HeliumJSONDecoder().decode(MessageSnapshot.self, from: deletion.snapshot)
            else { return false }
            try snapshot.restore(deletion.messageID, configuration: configuration, now: now, in: database)
            try table.delete(deletion.messageID)
            // A refused deletion was claimed.
            try DeletedIDTable(database: database).delete(deletion.messageID)
            try FileDeletionTable(database: database).cancel(filesOf: snapshot.json)
            let target = try ActionTarget(localID: snapshot.localID, in: database)
            // A channel that this device no longer stores is skipped.
            for id in snapshot.actions ?? [] {
                guard let channel = try ChannelTable(database: database).channel(id) else { continue }
                let writer = ActionWriter(
                    database: database,
                    channel: channel,
                    configuration: configuration,
                    now: now,
                    random: random
                )
                _ = try writer.apply(to: [target])
            }
            return true
        }
    }

    /// Returns the action messages that are on a message.
    private static func actions(on localID: Int64, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT action_local_id FROM action_spec WHERE target_local_id = ? ORDER BY action_local_id"
            ),
            arguments: [localID]
        )
    }

    /// Deletes one message but not the actions on it.
    ///
    /// - Parameter snapshot: The content, if it was read before the actions on the message were deleted.
    static func delete(_ localID: Int64, _ snapshot: MessageSnapshot? = nil, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, channel_id, kind FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
        guard let row else { throw MessageBeastError(.notFound, "the message is no longer stored") }
        let channel: String = row[1]
        if row[2] == MessagePlus.State.sent.rawValue {
            let snapshot = try snapshot ?? MessageSnapshot(of: localID, in: database)
            try PendingDeletionTable(database: database).insert(row[0], channel: channel, snapshot: snapshot.text())
        } else if try OutboxTable(database: database).row(localID)?.state == .sending {
            // The request is running. Its outcome decides whether the message must be deleted on the service.
            return try MessageRemoval(database: database).cancel(localID)
        }
        try MessageRemoval(database: database).remove([localID])
    }
}
