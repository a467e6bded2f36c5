internal import GRDB
internal import HeliumJSON

/// The actions that were on messages which the service no longer has (Docs/Protocols/MessageBeast.md §5.6).
///
/// A missing message may have been the higher one of two copies, deleted by a device that kept the lower one. When this
/// device receives the lower one, that message gets the actions. Until then they are on no message.
struct MissingActions {
    let database: Database

    /// The actions of a channel.
    private struct Entry: Codable {
        let channel: String
        /// The local ids of the action messages that the service has.
        var sent: [Int64]
    }

    /// Keeps the actions on a message that is about to be removed, or was, if copies of it can be recognized.
    func keep(on id: String) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT spec.action_channel_id, spec.action_local_id, action.kind FROM action_spec AS spec
                    CROSS JOIN message AS action ON action.local_id = spec.action_local_id
                    WHERE spec.action_channel_id IN (SELECT id FROM channel WHERE kind = 'action')
                    AND spec.target_message_id = ? ORDER BY spec.action_local_id
                    """
            ),
            arguments: [id]
        )
        guard !rows.isEmpty, try RetiredTokenTable(database: database).hasToken(id) else { return }
        // A tombstone can arrive again, after further actions.
        var entries = try self.entries(on: id)
        for row in rows {
            let channel: String = row[0]
            let sent: [Int64] = row[2] == MessagePlus.State.sent.rawValue ? [row[1]] : []
            if let index = entries.firstIndex(where: { $0.channel.hasSameBytes(as: channel) }) {
                entries[index].sent += sent
            } else {
                entries.append(Entry(channel: channel, sent: sent))
            }
        }
        try set(entries, on: id)
    }

    /// Deletes the kept actions on a message, so that they can be applied to its copy.
    ///
    /// - Returns: The channels of the actions that are still on. Channels that are no longer stored are left out. So are
    ///   actions whose messages were all deleted since: the device that deleted them removed the action, or moved it.
    func take(from id: String) throws -> [String] {
        let entries = try self.entries(on: id).filter { entry in
            try ChannelTable(database: database).channel(entry.channel)?.kind == .action
        }
        let taken = try entries.filter { try delete($0) > 0 || $0.sent.isEmpty }
        try set([], on: id)
        return taken.map(\.channel)
    }

    /// Deletes the kept actions of a channel on a message, because the user removes them.
    ///
    /// - Returns: Whether there were any.
    func remove(_ channel: String, from id: String) throws -> Bool {
        var entries = try self.entries(on: id)
        guard let index = entries.firstIndex(where: { $0.channel.hasSameBytes(as: channel) }) else { return false }
        _ = try delete(entries.remove(at: index))
        try set(entries, on: id)
        return true
    }

    /// Deletes those action messages that are still stored.
    ///
    /// - Returns: Their number.
    private func delete(_ entry: Entry) throws -> Int {
        let stored = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT m.local_id FROM json_each(?) AS list CROSS JOIN message AS m ON m.local_id = list.value
                    WHERE m.channel_id = ? ORDER BY m.local_id
                    """
            ),
            arguments: [JSONList.text(entry.sent), entry.channel]
        )
        for action in stored { try MessageDeletion.delete(action, in: database) }
        return stored.count
    }

    private func entries(on id: String) throws -> [Entry] {
        let text = try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
            arguments: [Self.key(of: id)]
        )
        return text.flatMap { try? HeliumJSONDecoder().decode([Entry].self, from: $0) } ?? []
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
