internal import GRDB

/// Removes messages with everything that is derived from them or depends on them.
struct MessageRemoval {
    let database: Database

    /// Removes messages: their rows, the specs of actions on them, and unsent action messages that depend on them.
    ///
    /// Other messages that depend on them remain and no longer wait for them. Pending files that no other message uses
    /// are removed too.
    ///
    /// - Parameter retiresTokens: Whether the tokens of the messages are recorded, so that a copy that arrives later is
    ///   deleted. Pass `false` for messages that the service keeps: when they are removed by age or number, or with the
    ///   account.
    /// - Parameter areMissing: Whether the service no longer has the messages, rather than that they were deleted here.
    func remove(_ localIDs: [Int64], retiresTokens: Bool = true, areMissing: Bool = false) throws {
        var removed = localIDs
        var seen = Set(localIDs)
        var index = 0
        while index < removed.count {
            removed += try dependants(of: removed[index]).filter { seen.insert($0).inserted }
            index += 1
        }
        if retiresTokens {
            let tokens = RetiredTokenTable(database: database)
            // Before any row is removed: an action names its target by the target's row.
            for localID in removed { try tokens.retire(localID, isMissing: areMissing) }
        }
        if areMissing { try DeletedIDTable(database: database).insert(messages: localIDs) }
        let files = PendingFileTable(database: database)
        let fileIDs = try files.ids(of: removed)
        let independence = try database.cachedStatement(
            sql: "UPDATE outbox SET depends_on_local_id = NULL WHERE depends_on_local_id = ?"
        )
        let deletion = try database.cachedStatement(sql: "DELETE FROM message WHERE local_id = ?")
        let specs = ActionSpecTable(database: database)
        for localID in removed { try independence.execute(arguments: [localID]) }
        for localID in removed {
            try specs.delete(target: localID)
            try deletion.execute(arguments: [localID])
        }
        try files.dispose(of: fileIDs)
    }

    /// Removes the actions on a stored message that the service no longer has. The deletion of sent ones is queued, because
    /// they would count on every device otherwise.
    ///
    /// Actions on other messages remain. The id may be that of a deleted copy, whose actions the device that keeps the
    /// other copy moves. The copies of a message that was stored here are recognized by its token.
    func removeActions(on localID: Int64) throws {
        for action in try MissingActions(database: database).keep(of: localID) {
            try MessageDeletion.delete(action, in: database)
        }
    }

    /// Removes the actions that have arrived on messages which were stored here and which the service no longer has, and
    /// queues the deletion of sent ones. Other messages are ignored.
    ///
    /// - Parameter channel: The channel of the messages.
    func removeActions(onMissing ids: [String], of channel: String) throws {
        for action in try MissingActions(database: database).keep(onMissing: ids, in: channel) {
            try MessageDeletion.delete(action, in: database)
        }
    }

    /// Removes the actions on messages that this store has deleted on the service, and queues the deletion of sent ones.
    /// Another device has applied them before it knew of the deletion, and may never have stored the message.
    ///
    /// A copy is left out, because its actions move to the message that remains, and so is a message whose deletion is
    /// still queued: it may be restored.
    func removeActions(onDeleted ids: some Collection<String>) throws {
        if ids.isEmpty { return }
        let actions = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT spec.action_local_id FROM json_each(?) AS list
                    CROSS JOIN channel AS c
                    CROSS JOIN action_spec AS spec ON spec.action_channel_id = c.id AND spec.target_message_id = list.value
                    WHERE c.kind = 'action' AND spec.target_local_id IS NULL
                        AND list.value NOT IN (SELECT id FROM former_id)
                        AND list.value NOT IN (SELECT message_id FROM pending_message_deletion)
                    ORDER BY spec.action_local_id
                    """
            ),
            arguments: [JSONList.text(Array(ids))]
        )
        for action in actions { try MessageDeletion.delete(action, in: database) }
    }

    /// Returns the unsent action messages on a message that can be removed with it. Some wait for it, others only name
    /// it.
    private func dependants(of localID: Int64) throws -> [Int64] {
        try removable(
            actions: """
                SELECT local_id FROM outbox WHERE depends_on_local_id = ?1
                UNION SELECT action_local_id FROM action_spec WHERE target_local_id = ?1
                """,
            [localID]
        )
    }

    /// Returns the removable ones among the unsent action messages that a query finds. The others are cancelled.
    private func removable(actions query: String, _ arguments: StatementArguments) throws -> [Int64] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT o.local_id, o.state FROM outbox AS o
                    CROSS JOIN message AS m ON m.local_id = o.local_id CROSS JOIN channel AS c ON c.id = m.channel_id
                    WHERE c.kind = 'action' AND o.local_id IN (\(query)) ORDER BY o.queue_seq
                    """
            ),
            arguments: arguments
        )
        var removable: [Int64] = []
        for row in rows {
            // The request may reach the service. Its outcome decides whether the message must be deleted there.
            if row[1] == "sending" { try cancel(row[0]) } else { removable.append(row[0]) }
        }
        return removable
    }

    /// Hides a message whose request is running, and requests its deletion after the outcome is known.
    func cancel(_ localID: Int64) throws {
        try database.cachedStatement(sql: "UPDATE outbox SET cancel_requested = 1 WHERE local_id = ?")
            .execute(arguments: [localID])
        try database.cachedStatement(sql: "UPDATE message SET hidden = 1 WHERE local_id = ?")
            .execute(arguments: [localID])
        try ActionSpecTable(database: database).delete(action: localID)
    }
}
