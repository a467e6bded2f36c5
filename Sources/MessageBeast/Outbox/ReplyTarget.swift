internal import AppNet
internal import GRDB

/// The message that an unsent message replies to. If it is unsent too, its temporary id never leaves the device.
struct ReplyTarget {
    let database: Database

    /// Returns the unsent message that must be sent before a reply to it; `nil` if there is none.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound`` for a reply to a message with an unknown temporary id.
    func dependency(of message: Message) throws -> Int64? {
        guard let reply = message.replyTo, reply.isTemporary else { return nil }
        guard let localID = try MessageTable(database: database).localID(of: reply) else { throw Self.missing }
        if try OutboxTable(database: database).row(localID) != nil { return localID }
        guard try MessageTable(database: database).sentID(of: reply) != nil else { throw Self.missing }
        return nil
    }

    /// Replaces a temporary id by the id on the service. A reply to a removed message becomes an ordinary message.
    func resolve(_ message: inout Message) throws {
        guard let reply = message.replyTo else { return }
        message.replyTo = try MessageTable(database: database).sentID(of: reply)
    }

    static var missing: MessageBeastError {
        MessageBeastError(.notFound, "the message that is replied to is not stored, or was not sent")
    }
}
