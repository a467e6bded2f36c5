internal import AppNet
internal import GRDB
internal import HeliumCore
internal import HeliumJSON

/// Applies an action to messages and removes it, inside a transaction (Docs/Protocols/MessageBeast.md §5.3, §5.4).
struct ActionWriter {
    let database: Database
    /// The action channel.
    let channel: ChannelRecord
    let configuration: MessageManagerConfiguration
    let now: Milliseconds
    let random: RandomSource
    /// The maximum number of messages in the outbox.
    var limit = Int.max

    /// Applies the action to those messages that it is not on.
    ///
    /// - Returns: The number of messages that it was not on.
    /// - Throws: ``MessageBeastError/Kind/queueFull``.
    func apply(to targets: [ActionTarget]) throws -> Int {
        let outbox = OutboxTable(database: database)
        var room: Int?
        var removals: Removals?
        var count = 0
        for target in targets where try !isOn(target.id) {
            count += 1
            let pending = try removals ?? Removals(of: channel.id, in: database)
            removals = pending
            if let (id, snapshot) = pending.removal(of: target.id) {
                // The deletion of the action message was not sent. Cancelling it restores the action.
                try snapshot.restore(id, configuration: configuration, now: now, in: database)
                try PendingDeletionTable(database: database).delete(id)
                continue
            }
            let left = try room ?? limit - outbox.count()
            guard left > 0 else {
                throw MessageBeastError(.queueFull, "\(limit) messages are already waiting to be sent")
            }
            room = left - 1
            try insert(on: target)
        }
        return count
    }

    /// Removes the action from messages, which need not be stored. Deletes unsent action messages and queues the
    /// deletion of sent ones. Those that the service refused before are sent again.
    ///
    /// - Returns: The number of messages that it was on.
    func remove(from ids: [String]) throws -> Int {
        var count = 0
        for id in ids {
            let actions = try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT action_local_id FROM action_spec
                        WHERE action_channel_id = ? AND target_message_id = ? ORDER BY action_local_id
                        """
                ),
                arguments: [channel.id, id]
            )
            // Another device may have applied the action too, so all action messages are deleted.
            for action in actions { try MessageDeletion.delete(action, in: database) }
            let wasKept = try MissingActions(database: database).remove(channel.id, from: id)
            if !actions.isEmpty || wasKept { count += 1 }
        }
        try retryRemovals(from: ids)
        return count
    }

    private func retryRemovals(from ids: [String]) throws {
        let table = PendingDeletionTable(database: database)
        let wanted = Set(ids.map { ByteText($0) })
        for removal in try Removal.all(in: channel.id, where: "parked = 1", database)
        where wanted.contains(ByteText(removal.target)) {
            _ = try table.unpark(Message.ID(removal.id))
        }
    }

    private func isOn(_ id: String) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM action_spec WHERE action_channel_id = ? AND target_message_id = ? LIMIT 1"
            ),
            arguments: [channel.id, id]
        ) != nil
    }

    /// Queues an action message: machine-only, without text and without a display date.
    private func insert(on target: ActionTarget) throws {
        let token = random.uuid()
        var message = Message(isMachineOnly: true)
        message.userID = try MetaTable(database: database).value(.account).map { AppNetUser.ID($0) }
        message.addTargetMessage(Message.ID(target.id))
        message.setToken(token)
        let unsent = try UnsentMessage(message, [], configuration: configuration, now: now)
        let derived = try DerivedRows(database: database, channel: channel, configuration: configuration, now: now)
        _ = try OutboxTable(database: database).append(
            unsent,
            token: token,
            created: now,
            with: derived,
            dependingOn: target.isSent ? nil : target.localID
        )
    }
}

/// The action messages of a channel whose deletion no engine has started to send, by the ids of their targets.
private struct Removals {
    private var actions: [ByteText: (id: String, snapshot: MessageSnapshot)] = [:]

    init(of channel: String, in database: Database) throws {
        for removal in try Removal.all(in: channel, where: "claimed = 0", database) {
            actions[ByteText(removal.target)] = (removal.id, removal.snapshot)
        }
    }

    /// Returns the oldest removal of the action from a message.
    func removal(of target: String) -> (id: String, snapshot: MessageSnapshot)? { actions[ByteText(target)] }
}

/// The queued deletion of an action message.
private struct Removal {
    let id: String
    let target: String
    let snapshot: MessageSnapshot

    /// Returns the deletions of an action channel that meet a condition, newest first.
    static func all(in channel: String, where condition: String, _ database: Database) throws -> [Self] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT message_id, snapshot_json FROM pending_message_deletion
                    WHERE channel_id = ? AND \(condition) AND snapshot_json IS NOT NULL ORDER BY queue_seq DESC
                    """
            ),
            arguments: [channel]
        )
        var removals: [Self] = []
        while let row = try rows.next() {
            guard let snapshot = try? HeliumJSONDecoder().decode(MessageSnapshot.self, from: row[1] as String),
                let message = try? HeliumJSONDecoder().decode(Message.self, from: snapshot.json),
                let target = message.targetMessageID
            else { continue }
            removals.append(Self(id: row[0], target: target.text, snapshot: snapshot))
        }
        return removals
    }
}
