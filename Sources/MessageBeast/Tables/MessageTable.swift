internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The table of messages.
struct MessageTable {
    let database: Database

    /// The local ids of the messages that are stored, by their ids.
    func localIDs(of ids: [String]) throws -> [String: Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT m.id, m.local_id FROM json_each(?) AS list CROSS JOIN message AS m ON m.id = list.value"
        )
        let rows = try Row.fetchCursor(statement, arguments: [JSONList.text(ids)])
        var known: [String: Int64] = [:]
        while let row = try rows.next() { known[row[0]] = row[1] }
        return known
    }

    /// The message with an id, also a temporary one; `nil` if it is hidden or not stored.
    func localID(of id: Message.ID) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT local_id FROM message WHERE hidden = 0 AND (
                        id = ?1 OR client_token = ?1 OR local_id = (SELECT local_id FROM former_id WHERE id = ?1)
                    )
                    """
            ),
            arguments: [id.text]
        )
    }

    /// The id that the service has for a message; `nil` for a temporary id of a message that it does not have.
    func sentID(of id: Message.ID) throws -> Message.ID? {
        guard id.isTemporary else { return id }
        let text = try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM message WHERE kind = 'sent' AND (
                        client_token = ?1 OR local_id = (SELECT local_id FROM former_id WHERE id = ?1)
                    )
                    """
            ),
            arguments: [id.text]
        )
        return text.map { Message.ID($0) }
    }

    /// Lets a temporary id find a message that gets another one.
    func keepFormerID(_ id: String, of localID: Int64) throws {
        try database.cachedStatement(sql: "INSERT INTO former_id (id, local_id) VALUES (?, ?)")
            .execute(arguments: [id, localID])
    }

    /// Inserts a message of the service. The caller adds it to the full-text index.
    ///
    /// - Returns: The local id: higher than every other one.
    func insert(_ message: IncomingMessage, channel: String) throws -> Int64 {
        try insert(message, channel: channel, by: insertion())
    }

    /// The statement of an insertion. A page prepares it once: finding it takes as long as binding some values.
    func insertion() throws -> Statement {
        try database.cachedStatement(
            sql: """
                INSERT INTO message
                    (id, channel_id, display_date_ms, sort_key, created_ms, kind, json_version, text, json)
                VALUES (?, ?, ?, ?, ?, 'sent', ?, ?, ?)
                """
        )
    }

    /// Inserts a message by a statement of ``insertion()``.
    func insert(_ message: IncomingMessage, channel: String, by statement: Statement) throws -> Int64 {
        try statement.execute(arguments: [
            message.id, channel, message.derivation.displayDate.value, message.sortKey, message.created.value,
            IncomingMessage.jsonVersion, message.derivation.text, message.json,
        ])
        return database.lastInsertedRowID
    }

    /// Replaces the content of a message. Without a date of creation, the message keeps its dates.
    ///
    /// - Returns: Whether it was different.
    func update(_ localID: Int64, with message: IncomingMessage) throws -> Bool {
        guard message.hasCreationDate else {
            try database.cachedStatement(
                sql: "UPDATE message SET json_version = ?1, text = ?2, json = ?3 WHERE local_id = ?4 AND json <> ?3"
            ).execute(arguments: [IncomingMessage.jsonVersion, message.derivation.text, message.json, localID])
            return database.changesCount > 0
        }
        try database.cachedStatement(
            sql: """
                UPDATE message SET display_date_ms = ?1, created_ms = ?2, json_version = ?3, text = ?4, json = ?5
                WHERE local_id = ?6 AND (json <> ?5 OR display_date_ms <> ?1)
                """
        ).execute(arguments: [
            message.derivation.displayDate.value, message.created.value, IncomingMessage.jsonVersion,
            message.derivation.text, message.json, localID,
        ])
        return database.changesCount > 0
    }

    /// Stores the display date of a message that was derived again.
    func setDisplayDate(_ date: Milliseconds, of localID: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE message SET display_date_ms = ?1 WHERE local_id = ?2 AND display_date_ms <> ?1"
        ).execute(arguments: [date.value, localID])
    }

    /// Adds new messages to the full-text index.
    func index(_ range: ClosedRange<Int64>) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO message_fts (rowid, text) SELECT local_id, text FROM message WHERE local_id BETWEEN ? AND ?
                """
        ).execute(arguments: [range.lowerBound, range.upperBound])
    }
}

extension Message.ID {
    /// Whether an engine has made the id. Those of the service are numbers.
    var isTemporary: Bool { number == nil }
}

/// A list of any length as one argument of a statement, for SQLite's `json_each`.
enum JSONList {
    static func text(_ ids: [String]) -> String { JSONValue.array(ids.map(JSONValue.string)).text() }
    static func text(_ ids: [Int64]) -> String { JSONValue.array(ids.map { .number(JSONNumber($0)) }).text() }
}
