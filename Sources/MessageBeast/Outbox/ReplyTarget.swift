internal import AppNet
internal import GRDB

/// The message that an unsent one replies to. It may be unsent too: its temporary id never leaves the device.
struct ReplyTarget {
    let database: Database

    /// The unsent message that has to be sent before a reply to it; `nil` if none has to.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound`` for a reply to a message with an unknown temporary id.
    func dependency(of message: Message) throws -> Int64? {
        guard let reply = message.replyTo, Self.isTemporary(reply) else { return nil }
        guard let localID = try MessageTable(database: database).localID(of: reply) else { throw Self.missing }
        if try OutboxTable(database: database).row(localID) != nil { return localID }
        guard try sentID(of: reply) != nil else { throw Self.missing }
        return nil
    }

    /// Replaces a temporary id by the one that the service knows. A reply to a message that was removed becomes an ordinary
    /// message.
    func resolve(_ message: inout Message) throws {
        guard let reply = message.replyTo else { return }
        message.replyTo = try sentID(of: reply)
    }

    /// The id that the service has for a message; `nil` if it has none.
    func sentID(of id: Message.ID) throws -> Message.ID? {
        guard Self.isTemporary(id) else { return id }
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

    /// Ids of the service are numbers, temporary ones are UUIDs.
    private static func isTemporary(_ id: Message.ID) -> Bool { id.number == nil }

    private static var missing: MessageBeastError {
        MessageBeastError(.notFound, "the message that is replied to is not stored")
    }
}
