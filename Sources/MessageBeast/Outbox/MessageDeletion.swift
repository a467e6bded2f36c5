internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Deletes a message here, and records that the service is to be told (Docs/Protocols/MessageBeast.md §4.6).
struct MessageDeletion: Sendable {
    let context: EngineContext

    /// Deletes a message, and the actions on it.
    ///
    /// - Parameter deletesFiles: Whether the files that a sent message shows are deleted on the service.
    /// - Returns: The channels that have deletions to send now.
    /// - Throws: ``MessageBeastError/Kind/notFound``.
    func delete(_ id: Message.ID, deletingFiles deletesFiles: Bool = false) async throws -> [AppNetChannel.ID] {
        let term = try context.life.term()
        let channels = try await context.write(term) { database in
            guard let localID = try MessageTable(database: database).localID(of: id) else {
                throw MessageBeastError(.notFound, "the message \(id) is not stored")
            }
            if deletesFiles { try FileDeletionTable(database: database).insertFiles(of: localID) }
            var channels: [AppNetChannel.ID] = []
            // The actions on it first, while they are known.
            for action in try Self.actions(on: localID, in: database) {
                channels.append(try Self.delete(action, with: localID, in: database))
            }
            channels.append(try Self.delete(localID, with: nil, in: database))
            return channels
        }
        context.reached(.deleting)
        return channels
    }

    /// Undoes a deletion that no engine has begun to send, with the deletions of the actions on the message.
    ///
    /// - Returns: Whether the message is back.
    func cancel(_ id: Message.ID) async throws -> Bool {
        let term = try context.life.term()
        let (configuration, now) = (context.configuration, context.now)
        return try await context.write(term) { database in
            let table = PendingDeletionTable(database: database)
            guard let text = try table.snapshot(id.text),
                let snapshot = try? HeliumJSONDecoder().decode(MessageSnapshot.self, from: text)
            else { return false }
            try snapshot.restore(id.text, configuration: configuration, now: now, in: database)
            try table.delete(id.text)
            try FileDeletionTable(database: database).cancel(filesOf: snapshot.json)
            for (actionID, action) in try MessageSnapshot.dependants(of: snapshot.localID, in: database) {
                try action.restore(actionID, configuration: configuration, now: now, in: database)
                try table.delete(actionID)
            }
            return true
        }
    }

    /// The messages of the actions that are on a message.
    private static func actions(on localID: Int64, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT action_local_id FROM action_spec WHERE target_local_id = ? ORDER BY action_local_id"
            ),
            arguments: [localID]
        )
    }

    /// Deletes one message, and not the actions on it.
    ///
    /// - Parameter target: The message with which it is deleted, if it is an action.
    /// - Returns: Its channel.
    static func delete(_ localID: Int64, with target: Int64?, in database: Database) throws -> AppNetChannel.ID {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, channel_id, kind FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
        guard let row else { throw MessageBeastError(.notFound, "the message is not stored any more") }
        let channel: String = row[1]
        if row[2] == MessagePlus.State.sent.rawValue {
            let snapshot = try MessageSnapshot(of: localID, with: target, in: database)
            try PendingDeletionTable(database: database).insert(row[0], channel: channel, snapshot: snapshot.text())
        } else if try OutboxTable(database: database).row(localID)?.state == .sending {
            // Its request is under way: the outcome decides whether it has to be deleted on the service.
            try MessageRemoval(database: database).cancel(localID)
            return AppNetChannel.ID(channel)
        }
        try MessageRemoval(database: database).remove([localID])
        return AppNetChannel.ID(channel)
    }
}
