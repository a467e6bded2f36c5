internal import AppNet
internal import GRDB
internal import HeliumJSON

/// A token of a message that was removed. A copy of the message that arrives later is deleted
/// (Docs/Protocols/MessageBeast.md §4.4).
struct RetiredToken: Hashable, Sendable {
    let token: String
    let channel: String
    let likeness: MessageLikeness
    /// The time of the last attempt to send the message, or else of its creation.
    let claimed: Milliseconds
    /// The id that the message had on the service; `nil` if it was never sent.
    var id: Int64?
    /// Whether the message was missing on the service, in place of that it was deleted here.
    var isMissing = false

    /// Whether a copy with an id is deleted.
    ///
    /// A message that is missing may have been the higher one of two copies, of which another device has kept the lower one.
    func covers(_ copy: Int64) -> Bool { id.map { !isMissing || copy > $0 } ?? true }
}

/// The tokens of removed messages.
struct RetiredTokenTable {
    let database: Database

    /// The record of a token; `nil` if the token was not retired.
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

    /// Records a token. The first record of a token remains, but for the copies that are deleted, of which there may be more.
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

    /// Records the token of a stored message that is about to be removed or to get another one, if it has a token.
    ///
    /// A message from another device of the account has its token in an annotation alone.
    ///
    /// - Parameter isMissing: Whether the service does not have the message any more, in place of that it was deleted here.
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

    /// The token in the annotation of a message that the account itself wrote.
    private func ownToken(of message: Message) throws -> String? {
        guard let account = try MetaTable(database: database).value(.account),
            (message.user?.id ?? message.userID)?.text.hasSameBytes(as: account) == true
        else { return nil }
        let value = message.firstAnnotation(ofType: MessageBeastNames.token)?.value
        return value?["token"]?.stringValue.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }

    /// An unsent message with what it gets when it is posted: its files, and the ids of its target and of the message that it
    /// replies to.
    private func posted(_ message: Message, _ localID: Int64) throws -> Message {
        var message = message
        try ReplyTarget(database: database).resolve(&message)
        message.append(try PendingFileTable(database: database).placeholders(of: localID))
        return try ActionSpecTable(database: database).materialized(message, of: localID)
    }
}
