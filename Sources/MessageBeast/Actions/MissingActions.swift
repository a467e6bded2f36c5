internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The actions that were on messages which the service no longer has (Docs/Protocols/MessageBeast.md §5.6).
///
/// A missing message may have been the higher one of two copies, deleted by a device that kept the lower one. When this
/// device receives the lower one, that message gets the actions. Until then they are on no message.
///
/// Actions on a missing message may arrive later, from a device that did not know of its deletion, or because their channel
/// was not read before.
struct MissingActions {
    let database: Database

    /// The action of a channel.
    private struct Entry: Codable {
        let channel: String
        /// The ids of the action messages that the service had. Those that another device has deleted are left out.
        var sent: [String]
    }

    /// Keeps the actions on a message that is about to be removed, if copies of it can be recognized.
    ///
    /// - Returns: All action messages on the message, which the caller deletes.
    func keep(of localID: Int64) throws -> [Int64] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT spec.action_channel_id, spec.action_local_id, action.kind, action.id FROM action_spec AS spec
                    CROSS JOIN message AS action ON action.local_id = spec.action_local_id
                    WHERE spec.target_local_id = ? ORDER BY spec.action_local_id
                    """
            ),
            arguments: [localID]
        )
        guard !rows.isEmpty else { return [] }
        if let id = try RetiredTokenTable(database: database).sentID(withToken: localID) {
            try set(Self.entries(rows), on: id)
        }
        return rows.map { $0[1] }
    }

    /// Keeps the actions that have arrived on missing messages, for those messages whose copies can be recognized.
    ///
    /// - Parameters:
    ///   - ids: Messages that the service does not have. Those that were not stored here are ignored.
    ///   - channel: The channel of the messages.
    /// - Returns: All action messages on the missing messages, which the caller deletes.
    func keep(onMissing ids: [String], in channel: String) throws -> [Int64] {
        if ids.isEmpty { return [] }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT spec.action_channel_id, spec.action_local_id, action.kind, action.id, spec.target_message_id
                    FROM channel AS c CROSS JOIN json_each(?) AS list
                    CROSS JOIN action_spec AS spec ON spec.action_channel_id = c.id AND spec.target_message_id = list.value
                    CROSS JOIN message AS action ON action.local_id = spec.action_local_id
                    WHERE c.kind = 'action' AND c.target_channel_id = ? AND \(Self.isMissing)
                    ORDER BY spec.action_local_id
                    """
            ),
            arguments: [JSONList.text(ids), channel]
        )
        guard !rows.isEmpty else { return [] }
        let targets = Dictionary(grouping: rows) { $0[4] as String }
        for id in try RetiredTokenTable(database: database).missing(among: Array(targets.keys)) {
            try set(Self.entries(targets[id] ?? [], addedTo: entries(on: id)), on: id)
        }
        return rows.map { $0[1] }
    }

    /// Returns the missing messages on which actions of a channel have arrived, unless their channel is not stored.
    func targets(in channel: String) throws -> [(id: Message.ID, channel: AppNetChannel.ID)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT spec.target_message_id, c.target_channel_id FROM channel AS c
                    CROSS JOIN action_spec AS spec ON spec.action_channel_id = c.id
                    WHERE c.id = ? AND c.kind = 'action' AND c.target_channel_id IN (SELECT id FROM channel)
                        AND \(Self.isMissing)
                    ORDER BY spec.target_message_id
                    """
            ),
            arguments: [channel]
        ).map { (Message.ID($0[0] as String), AppNetChannel.ID($0[1] as String)) }
    }

    /// The condition for an action on a message that was stored here and is missing.
    ///
    /// A copy is left out, because its actions move to the message that remains, and so is a message whose deletion is
    /// queued.
    private static let isMissing = """
        spec.target_local_id IS NULL
            AND spec.target_message_id = (
                SELECT CAST(id AS TEXT) FROM deleted_id
                WHERE id = CAST(spec.target_message_id AS INTEGER) AND is_missing = 1
            )
            AND spec.target_message_id NOT IN (SELECT id FROM former_id)
            AND spec.target_message_id NOT IN (SELECT message_id FROM pending_message_deletion)
        """

    /// Returns the actions of some rows, by channel: the channel, the local id, the kind and the id of each action message.
    private static func entries(_ rows: [Row], addedTo kept: [Entry] = []) -> [Entry] {
        var entries = kept
        for row in rows {
            let channel: String = row[0]
            let sent: [String] = row[2] == MessagePlus.State.sent.rawValue ? [row[3]] : []
            if let index = entries.firstIndex(where: { $0.channel.hasSameBytes(as: channel) }) {
                entries[index].sent += sent
            } else {
                entries.append(Entry(channel: channel, sent: sent))
            }
        }
        return entries
    }

    /// Forgets the kept actions on a message, so that they can be applied to its copy.
    ///
    /// - Returns: The channels of the actions that are still on, except those that are no longer stored.
    func take(from id: String) throws -> [String] {
        let channels = try entries(on: id).map(\.channel).filter { channel in
            try ChannelTable(database: database).channel(channel)?.kind == .action
        }
        try set([], on: id)
        return channels
    }

    /// Forgets the kept action of a channel on a message, because the user removes it.
    ///
    /// - Returns: Whether there was one.
    func remove(_ channel: String, from id: String) throws -> Bool {
        let kept = try entries(on: id)
        let others = kept.filter { !$0.channel.hasSameBytes(as: channel) }
        guard others.count < kept.count else { return false }
        try set(others, on: id)
        return true
    }

    /// Forgets an action message that another device has deleted: its deletion is queued here, and no request for it was
    /// sent, or the service refused it. When all messages of a kept action are gone, the other device has removed the action, or moved it.
    func forgetDeleted(_ action: String) throws {
        guard let deletion = try PendingDeletionTable(database: database).undoable(Message.ID(action)),
            let snapshot = try? HeliumJSONDecoder().decode(MessageSnapshot.self, from: deletion.snapshot),
            let message = try? HeliumJSONDecoder().decode(Message.self, from: snapshot.json),
            let target = message.targetMessageID?.text
        else { return }
        let left = try entries(on: target).compactMap { (entry: Entry) -> Entry? in
            guard entry.sent.contains(where: { $0.hasSameBytes(as: action) }) else { return entry }
            let sent = entry.sent.filter { !$0.hasSameBytes(as: action) }
            return sent.isEmpty ? nil : Entry(channel: entry.channel, sent: sent)
        }
        try set(left, on: target)
    }

    /// Returns the kept actions on a message; none if the value cannot be read, so that a damaged one does not stop the
    /// page that its message is in.
    private func entries(on id: String) throws -> [Entry] {
        let value = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
            arguments: [Self.key(of: id)]
        )
        return value.flatMap(String.fromDatabaseValue)
            .flatMap { try? HeliumJSONDecoder().decode([Entry].self, from: $0) } ?? []
    }

    private func set(_ entries: [Entry], on id: String) throws {
        if entries.isEmpty {
            try database.cachedStatement(sql: "DELETE FROM meta WHERE key = ?").execute(arguments: [Self.key(of: id)])
            return
        }
        try database.cachedStatement(
            sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        ).execute(arguments: [Self.key(of: id), HeliumJSONEncoder.bodies.encodeToString(entries)])
    }

    private static func key(of id: String) -> String { "missing_actions:\(id)" }
}
