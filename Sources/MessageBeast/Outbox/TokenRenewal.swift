internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Gives an unsent message another token (Docs/Protocols/MessageBeast.md §4.4).
///
/// The old token is retired: a request with it may still arrive, and another device may have deleted a message with it.
struct TokenRenewal {
    let database: Database

    /// Retires the token of a message and makes another one its temporary id. The former id remains valid, also for the
    /// actions on the message.
    ///
    /// The caller stores the document with the new token.
    func replace(_ row: OutboxRow, by token: String) throws {
        // Before the document changes, because copies are recognized by its content.
        try RetiredTokenTable(database: database).retire(row.localID)
        try MessageTable(database: database).keepFormerID(row.token, of: row.localID)
        try database.cachedStatement(sql: "UPDATE message SET id = ?1, client_token = ?1 WHERE local_id = ?2")
            .execute(arguments: [token, row.localID])
        try database.cachedStatement(sql: "UPDATE action_spec SET target_message_id = ? WHERE target_local_id = ?")
            .execute(arguments: [token, row.localID])
    }

    /// Puts a message back into the queue under another token, at its former position, as if it had never been sent.
    ///
    /// - Returns: `false` if the document of the message cannot be read. Nothing is changed in that case.
    func requeue(_ row: OutboxRow, as token: String) throws -> Bool {
        let json = try String.fetchOne(
            database.cachedStatement(sql: "SELECT json FROM message WHERE local_id = ?"),
            arguments: [row.localID]
        )
        guard let json, var message = try? HeliumJSONDecoder().decode(Message.self, from: json) else { return false }
        message.setToken(token)
        try replace(row, by: token)
        try database.cachedStatement(sql: "UPDATE message SET json_version = ?, json = ? WHERE local_id = ?")
            .execute(arguments: [IncomingMessage.jsonVersion, IncomingMessage.text(of: message), row.localID])
        try OutboxTable(database: database).renew(row.localID)
        return true
    }
}

extension Message {
    /// Replaces the annotation with the token.
    mutating func setToken(_ token: String) {
        let value = JSONValue.object(["token": .string(token)])
        let others = (annotations ?? []).filter { !$0.type.hasSameBytes(as: MessageBeastNames.token) }
        annotations = others + [Annotation(type: MessageBeastNames.token, value: value)]
    }
}
