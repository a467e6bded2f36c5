internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The row of a deleted message, from which it can be restored.
struct MessageSnapshot: Codable, Sendable {
    let localID: Int64
    let channel: String
    let created: Int64
    let token: String?
    let json: String
    /// The message with which this one was deleted.
    let target: Int64?

    init(of localID: Int64, with target: Int64?, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT channel_id, created_ms, client_token, json FROM message WHERE local_id = ?"
            ),
            arguments: [localID]
        )
        guard let row else { throw MessageBeastError(.notFound, "the message is not stored any more") }
        self.localID = localID
        channel = row[0]
        created = row[1]
        token = row[2]
        json = row[3]
        self.target = target
    }

    func text() throws -> String { try HeliumJSONEncoder.bodies.encodeToString(self) }

    /// The actions that were deleted with a message, by their ids.
    static func dependants(of localID: Int64, in database: Database) throws -> [(String, Self)] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT message_id, snapshot_json FROM pending_message_deletion
                    WHERE claimed = 0 AND snapshot_json IS NOT NULL AND json_extract(snapshot_json, '$.target') = ?
                    ORDER BY queue_seq
                    """
            ),
            arguments: [localID]
        )
        return rows.compactMap { row in
            let snapshot = try? HeliumJSONDecoder().decode(Self.self, from: row[1] as String)
            return snapshot.map { (row[0], $0) }
        }
    }

    /// Stores the message again, under its old identity.
    func restore(
        _ id: String,
        configuration: MessageManagerConfiguration,
        now: Milliseconds,
        in database: Database
    ) throws {
        let record = try ChannelTable(database: database).required(channel)
        let message = try HeliumJSONDecoder().decode(Message.self, from: json)
        let created = Milliseconds(created)
        let incoming = try IncomingMessage(message, json: json, configuration: configuration, now: created.date)
        try database.cachedStatement(
            sql: """
                INSERT INTO message (local_id, id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token,
                    json_version, text, json)
                VALUES (?, ?, ?, ?, ?, ?, 'sent', ?, ?, ?, ?)
                """
        ).execute(arguments: [
            localID, id, channel, incoming.derivation.displayDate.value, incoming.sortKey, created.value, token,
            IncomingMessage.jsonVersion, incoming.derivation.text, json,
        ])
        let derived = try DerivedRows(
            database: database,
            channel: record,
            configuration: configuration,
            now: now
        )
        try derived.insert(incoming.derivation, of: localID, isNewMessage: false)
        try MessageTable(database: database).index(localID...localID)
        for action in try ChannelTable(database: database).actionChannels(target: channel) {
            try ActionSpecTable(database: database).resolve(targets: localID...localID, channel: action)
        }
        if let token {
            try database.cachedStatement(sql: "DELETE FROM retired_token WHERE token = ?").execute(arguments: [token])
        }
    }
}
