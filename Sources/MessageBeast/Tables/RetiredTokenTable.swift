internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The token of a removed message. A copy of the message that arrives later is deleted
/// (Docs/Protocols/MessageBeast.md §4.4).
struct RetiredToken: Hashable, Sendable {
    let token: String
    let channel: String
    let likeness: MessageLikeness
    /// The time of the last attempt to send the message, or of its creation if it was never sent.
    let claimed: Milliseconds
    /// The id that the message had on the service; `nil` if it was never sent.
    var id: Int64?
    /// Whether the message was missing on the service, rather than deleted here.
    var isMissing = false

    /// Returns whether a copy with an id is deleted.
    ///
    /// A missing message may have been the higher one of two copies. Another device may have kept the lower one.
    func covers(_ copy: Int64) -> Bool { id.map { !isMissing || copy > $0 } ?? true }
}

/// The tokens of removed messages.
struct RetiredTokenTable {
    let database: Database

    /// Returns the record of a token; `nil` if the token was not retired.
    func record(_ token: String) throws -> RetiredToken? {
        let statement = try database.cachedStatement(
            sql: "SELECT token, channel_id, likeness, claimed_ms, id, is_missing FROM retired_token WHERE token = ?"
        )
        return try Row.fetchOne(statement, arguments: [token]).map { row in
            RetiredToken(
                token: row[0],
                channel: row[1],
                likeness: MessageLikeness(stored: row[2]),
                claimed: Milliseconds(row[3] as Int64),
                id: row[4],
                isMissing: row[5]
            )
        }
    }

    /// Records a token. An existing record is kept, except that it may be extended to cover more copies.
    func insert(_ token: RetiredToken) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO retired_token (token, channel_id, likeness, claimed_ms, id, is_missing)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (token) DO UPDATE SET
                    id = min(coalesce(id, excluded.id), coalesce(excluded.id, id)),
                    is_missing = min(is_missing, excluded.is_missing)
                """
        ).execute(arguments: [
            token.token, token.channel, token.likeness.text, token.claimed.value, token.id, token.isMissing,
        ])
    }

    /// Records the token of a stored message that is about to be removed or to get another token, if it has a token.
    ///
    /// A message from another device of the account has its token only in an annotation.
    ///
    /// - Parameter isMissing: Whether the service no longer has the message, rather than that it was deleted here.
    func retire(_ localID: Int64, isMissing: Bool = false) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.client_token, m.channel_id, m.kind, m.json, coalesce(o.claimed_ms, m.created_ms), m.sort_key
                FROM message AS m LEFT JOIN outbox AS o ON o.local_id = m.local_id WHERE m.local_id = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [localID]) else { return }
        let isSent = row[2] == MessagePlus.State.sent.rawValue
        var message = try? HeliumJSONDecoder().decode(Message.self, from: row[3] as String)
        guard let token = try row[0] ?? message.flatMap(ownToken) else { return }
        if !isSent, let unsent = message { message = try posted(unsent, localID) }
        let channel: String = row[1]
        try insert(
            RetiredToken(
                token: token,
                channel: channel,
                likeness: message.map { MessageLikeness($0, channel: channel, isSent: isSent) }
                    ?? MessageLikeness(stored: ""),
                claimed: Milliseconds(row[4] as Int64),
                id: isSent ? row[5] : nil,
                isMissing: isMissing && isSent
            )
        )
    }

    /// Returns the id of a sent message that has a token of the account; `nil` for other messages.
    func sentID(withToken localID: Int64) throws -> String? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, client_token, json FROM message WHERE local_id = ? AND kind = 'sent'"
            ),
            arguments: [localID]
        )
        guard let row else { return nil }
        if row[1] as String? != nil { return row[0] }
        let message = try? HeliumJSONDecoder().decode(Message.self, from: row[2] as String)
        return try message.flatMap(ownToken) != nil ? row[0] : nil
    }

    /// Returns those messages that had a token and are missing on the service. Reads the ids of all retired tokens.
    func missing(among ids: [String]) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT CAST(id AS TEXT) FROM retired_token
                    WHERE is_missing = 1 AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ORDER BY id
                    """
            ),
            arguments: [JSONList.text(ids)]
        )
    }

    /// Returns the token in the annotation of a message that the account itself wrote.
    private func ownToken(of message: Message) throws -> String? {
        guard let account = try MetaTable(database: database).value(.account),
            (message.user?.id ?? message.userID)?.text.hasSameBytes(as: account) == true
        else { return nil }
        let value = message.firstAnnotation(ofType: MessageBeastNames.token)?.value
        return value?["token"]?.stringValue.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }

    /// Returns an unsent message in the form in which it is posted: with its files, and with the ids of its target and
    /// of the message that it replies to.
    private func posted(_ message: Message, _ localID: Int64) throws -> Message {
        var message = message
        try ReplyTarget(database: database).resolve(&message)
        message.append(try PendingFileTable(database: database).placeholders(of: localID))
        return try ActionSpecTable(database: database).materialized(message, of: localID)
    }
}
