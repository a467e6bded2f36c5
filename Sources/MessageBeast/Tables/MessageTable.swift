internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The table of messages.
struct MessageTable {
    let database: Database

    /// Returns the local ids of the stored messages, by their ids.
    func localIDs(of ids: [String]) throws -> [String: Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT m.id, m.local_id FROM json_each(?) AS list CROSS JOIN message AS m ON m.id = list.value"
        )
        let rows = try Row.fetchCursor(statement, arguments: [JSONList.text(ids)])
        var known: [String: Int64] = [:]
        while let row = try rows.next() { known[row[0]] = row[1] }
        return known
    }

    /// Returns the channel of a stored message.
    func channel(of localID: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT channel_id FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
    }

    /// Returns the local id of a message by its id, which may be temporary; `nil` if it is hidden or not stored.
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

    /// Returns the id of a message on the service; `nil` for a temporary id of a message that is not there.
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

    /// Keeps an id valid for a message that has another one: a former temporary id, or the id of a copy.
    func keepFormerID(_ id: String, of localID: Int64) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO former_id (id, local_id) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET local_id = excluded.local_id
                """
        ).execute(arguments: [id, localID])
    }

    /// Returns the messages that former ids identify, by these ids.
    func localIDs(ofFormerIDs ids: [String]) throws -> [String: Int64] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT former.id, former.local_id
                FROM json_each(?) AS list CROSS JOIN former_id AS former ON former.id = list.value
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: [JSONList.text(ids)])
        var known: [String: Int64] = [:]
        while let row = try rows.next() { known[row[0]] = row[1] }
        return known
    }

    /// Inserts a message of the service. The caller inserts its derived rows.
    ///
    /// - Returns: The local id, which is higher than every other one.
    func insert(_ message: IncomingMessage, channel: String) throws -> Int64 {
        try insert(message, channel: channel, by: insertion())
    }

    /// Returns the insert statement. A page prepares it once, because finding it takes as long as binding several
    /// values.
    func insertion() throws -> Statement {
        try database.cachedStatement(
            sql: """
                INSERT INTO message
                    (id, channel_id, display_date_ms, sort_key, created_ms, kind, json_version, text, json)
                VALUES (?, ?, ?, ?, ?, 'sent', ?, ?, ?)
                """
        )
    }

    /// Inserts a message with a statement of ``insertion()``.
    func insert(_ message: IncomingMessage, channel: String, by statement: Statement) throws -> Int64 {
        try statement.execute(arguments: [
            message.id, channel, message.derivation.displayDate.value, message.sortKey, message.created.value,
            IncomingMessage.jsonVersion, message.derivation.text, message.json,
        ])
        return database.lastInsertedRowID
    }

    /// Replaces the content of a message. Without a creation date, the message keeps its dates.
    ///
    /// - Returns: Whether the content changed.
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

    /// Stores the display date of a message whose rows were derived again.
    func setDisplayDate(_ date: Milliseconds, of localID: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE message SET display_date_ms = ?1 WHERE local_id = ?2 AND display_date_ms <> ?1"
        ).execute(arguments: [date.value, localID])
    }
}

extension Message.ID {
    /// Whether an engine made the id. Ids of the service are numbers.
    var isTemporary: Bool { number == nil }
}

/// Encodes a list of any length as one statement argument for SQLite's `json_each`.
enum JSONList {
    static func text(_ ids: [String]) -> String { JSONValue.array(ids.map(JSONValue.string)).text() }
    static func text(_ ids: [Int64]) -> String { JSONValue.array(ids.map { .number(JSONNumber($0)) }).text() }
}
