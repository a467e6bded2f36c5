internal import GRDB

/// A mirrored channel.
struct ChannelRecord: Hashable, Sendable {
    enum Kind: String, Sendable {
        case `private`
        case action
    }

    var id: String
    var kind: Kind
    var type: String
    /// The type of the actions and the channel of their targets; `nil` unless this is an action channel.
    var actionType: String?
    var targetChannelID: String?
    var json: String
    var queryParameters: String
    var syncState = FullSyncState.notStarted
    /// The lowest id that the full sync has reached.
    var backfillCursor: Int64?
    /// The highest known id.
    var newestCursor: Int64?
    var lastReconciled: Milliseconds?
}

struct ChannelTable {
    let database: Database

    private static let columns = """
        id, kind, type, action_type, target_channel_id, json, query_params_json, full_sync_state, backfill_cursor,
        newest_cursor, last_reconciled_ms
        """

    func channel(_ id: String) throws -> ChannelRecord? {
        try one("WHERE id = ?", [id])
    }

    func privateChannel(type: String) throws -> ChannelRecord? {
        try one("WHERE kind = 'private' AND type = ?", [type])
    }

    /// Returns the ids of the action channels for messages of a channel.
    func actionChannels(target: String) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT id FROM channel WHERE kind = 'action' AND target_channel_id = ? ORDER BY id"
            ),
            arguments: [target]
        )
    }

    /// Inserts a channel, or replaces its properties except the sync state.
    func save(_ channel: ChannelRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO channel (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    kind = excluded.kind, type = excluded.type, action_type = excluded.action_type,
                    target_channel_id = excluded.target_channel_id, json = excluded.json,
                    query_params_json = excluded.query_params_json
                """
        ).execute(arguments: [
            channel.id, channel.kind.rawValue, channel.type, channel.actionType, channel.targetChannelID, channel.json,
            channel.queryParameters, channel.syncState.rawValue, channel.backfillCursor, channel.newestCursor,
            channel.lastReconciled?.value,
        ])
    }

    /// Stores the progress of reading a channel.
    func setSync(_ channel: ChannelRecord) throws {
        try database.cachedStatement(
            sql: """
                UPDATE channel SET full_sync_state = ?, backfill_cursor = ?, newest_cursor = ?, last_reconciled_ms = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            channel.syncState.rawValue, channel.backfillCursor, channel.newestCursor, channel.lastReconciled?.value,
            channel.id,
        ])
    }

    private func one(_ condition: String, _ arguments: StatementArguments) throws -> ChannelRecord? {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM channel \(condition)")
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return nil }
        return ChannelRecord(
            id: row[0],
            kind: ChannelRecord.Kind(rawValue: row[1]) ?? .private,
            type: row[2],
            actionType: row[3],
            targetChannelID: row[4],
            json: row[5],
            queryParameters: row[6],
            syncState: FullSyncState(rawValue: row[7]) ?? .notStarted,
            backfillCursor: row[8],
            newestCursor: row[9],
            lastReconciled: (row[10] as Int64?).map { Milliseconds($0) }
        )
    }
}
