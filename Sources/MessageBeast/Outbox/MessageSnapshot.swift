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
    /// The channels of the actions that were on the message.
    let actions: [String]?
    /// The temporary ids that the message had before its token.
    let formerIDs: [String]?

    init(of localID: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT channel_id, created_ms, client_token, json FROM message WHERE local_id = ?"
            ),
            arguments: [localID]
        )
        guard let row else { throw MessageBeastError(.notFound, "the message is no longer stored") }
        self.localID = localID
        channel = row[0]
        created = row[1]
        token = row[2]
        json = row[3]
        actions = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT action_channel_id FROM action_spec WHERE target_local_id = ?
                    ORDER BY action_channel_id
                    """
            ),
            arguments: [localID]
        )
        let former = try String.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM former_id WHERE local_id = ? ORDER BY id"),
            arguments: [localID]
        )
        formerIDs = former.isEmpty ? nil : former
    }

    func text() throws -> String { try HeliumJSONEncoder.bodies.encodeToString(self) }

    /// Stores the message again under its former identity.
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
            localID, id, channel, incoming.derivation.displayDate.value, Int64(id) ?? incoming.sortKey, created.value,
            token, IncomingMessage.jsonVersion, incoming.derivation.text, json,
        ])
        let derived = try DerivedRows(
            database: database,
            channel: record,
            configuration: configuration,
            now: now
        )
        try derived.insert(incoming.derivation, of: localID, isNewMessage: false)
        for action in try ChannelTable(database: database).actionChannels(target: channel) {
            try ActionSpecTable(database: database).resolve(targets: localID...localID, channel: action)
        }
        for former in formerIDs ?? [] { try MessageTable(database: database).keepFormerID(former, of: localID) }
        if let token {
            try database.cachedStatement(sql: "DELETE FROM retired_token WHERE token = ?").execute(arguments: [token])
        }
    }
}
