internal import AppNet
internal import GRDB

/// The row of a draft.
struct Draft: Sendable {
    let localID: Int64
    let channel: String
    let json: String
}

/// Messages that are not to be sent yet (Docs/Protocols/MessageBeast.md §2.4).
///
/// Drafts are in no list and in no index. Their text is only in the JSON document.
struct DraftTable {
    let database: Database

    /// The drafts and the unsent messages, which their sort keys find. Sent messages are not read: there may be a million.
    private static let candidates = """
        channel AS c CROSS JOIN message AS m INDEXED BY message_sequence
        ON m.channel_id = c.id AND m.sort_key >= \(MessageTable.unsentSortKey)
        """

    func count() throws -> Int {
        let sql = "SELECT count(*) FROM \(Self.candidates) WHERE m.kind = 'draft'"
        return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
    }

    /// Inserts a draft.
    ///
    /// - Returns: The local id.
    func insert(
        _ json: String,
        id: String,
        channel: String,
        date: Milliseconds,
        created: Milliseconds
    ) throws -> Int64 {
        try database.cachedStatement(
            sql: """
                INSERT INTO message
                    (id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token, json_version, json)
                VALUES (?1, ?2, ?3, ?4, ?5, 'draft', ?1, ?6, ?7)
                """
        ).execute(arguments: [
            id, channel, date.value, MessageTable.unsentSortKey, created.value, IncomingMessage.jsonVersion, json,
        ])
        return database.lastInsertedRowID
    }

    /// Replaces the content of a draft, which becomes the newest draft.
    func update(_ localID: Int64, json: String, date: Milliseconds) throws {
        try database.cachedStatement(
            sql: "UPDATE message SET json = ?, json_version = ?, display_date_ms = ? WHERE local_id = ?"
        ).execute(arguments: [json, IncomingMessage.jsonVersion, date.value, localID])
    }

    /// Turns a draft into an unsent message.
    func promote(_ localID: Int64, to message: UnsentMessage, sequence: Int64, created: Milliseconds) throws {
        try database.cachedStatement(
            sql: """
                UPDATE message SET kind = 'unsent', display_date_ms = ?, sort_key = ?, created_ms = ?, json_version = ?,
                    text = ?, json = ?
                WHERE local_id = ?
                """
        ).execute(arguments: [
            message.derivation.displayDate.value, MessageTable.unsentSortKey + sequence, created.value,
            IncomingMessage.jsonVersion, message.derivation.text, message.json, localID,
        ])
    }

    /// Returns the draft with an id.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound`` for any other message.
    func required(_ id: Message.ID) throws -> Draft {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT local_id, channel_id, json FROM message WHERE id = ? AND kind = 'draft'"
            ),
            arguments: [id.text]
        )
        guard let row else { throw MessageBeastError(.notFound, "there is no draft with the id \(id)") }
        return Draft(localID: row[0], channel: row[1], json: row[2])
    }

    /// Returns the drafts of a channel, newest first; of all channels for `nil`.
    func drafts(in channel: String?) throws -> FoundMessages {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(MessageRow.columns) FROM \(Self.candidates) \(MessageRow.joins)
                WHERE m.kind = 'draft' \(channel == nil ? "" : "AND c.id = ?")
                ORDER BY m.display_date_ms DESC, m.local_id DESC
                """
        )
        return try MessageRow.fetch(statement, channel.map { [$0] } ?? [], in: database)
    }

    /// Returns the draft with an id; `nil` if there is none.
    func draft(_ id: String) throws -> MessagePlus? {
        let statement = try database.cachedStatement(
            sql:
                "SELECT \(MessageRow.columns) FROM message AS m \(MessageRow.joins) WHERE m.id = ? AND m.kind = 'draft'"
        )
        return try MessageRow.fetch(statement, [id], in: database).messages.first
    }
}
