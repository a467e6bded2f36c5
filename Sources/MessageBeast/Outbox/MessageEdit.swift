internal import AppNet
internal import GRDB

/// Changes a message that is not on the service (Docs/Protocols/MessageBeast.md §4.2, §4.4).
struct MessageEdit: Sendable {
    let context: EngineContext

    /// Returns the row of a message that can be edited, or whose outcome must be determined before.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound``, ``MessageBeastError/Kind/notEditable``.
    func row(of id: Message.ID) async throws -> OutboxRow {
        try await context.read { try Self.row(of: id, in: $0) }
    }

    /// Stores the new content. The message keeps its local identity, its positions in lists and in the queue, and its
    /// files.
    ///
    /// - Parameter isKnownToBeMissing: Whether the service was searched for a message whose outcome was unknown.
    /// - Returns: The stored message.
    /// - Throws: ``MessageBeastError``, `AppNetError` for a message that breaks a rule of the service. Nothing is
    ///   changed in that case.
    func edit(_ id: Message.ID, to message: Message, isKnownToBeMissing: Bool) async throws -> MessagePlus {
        let term = try context.life.term()
        let (context, fresh) = (context, context.random.uuid())
        return try await context.write(term) { database in
            let row = try Self.row(of: id, in: database)
            try MessageCreation.check(ChannelTable(database: database).required(row.channel))
            guard isKnownToBeMissing || !row.isUnknown else {
                throw MessageBeastError(.notEditable, "it is not known whether the message was sent")
            }
            // A request with the old token may still arrive, unless no request was ever made.
            let token = row.mayBePosted ? fresh : row.token
            let date = try Self.displayDate(of: row.localID, in: database)
            let creation = MessageCreation(context: context, channel: AppNetChannel.ID(row.channel))
            let files = try MessageRow.attachments(of: row.localID, in: database)
            let prepared = try creation.prepare(message, files, token: token, displayDate: date)
            let dependency = try ReplyTarget(database: database).dependency(of: prepared.message)
            guard try !OutboxTable(database: database).waits(dependency, for: row.localID) else {
                throw MessageBeastError(.invalidArgument, "a message cannot reply to a message that is waiting for it")
            }
            if row.mayBePosted { try TokenRenewal(database: database).replace(row, by: token) }
            try Self.store(prepared, in: row, configuration: context.configuration, now: context.now, database)
            let outbox = OutboxTable(database: database)
            try outbox.renew(row.localID)
            try outbox.setDependency(dependency, of: row.localID)
            let reader = MessageReader(database: database, configuration: context.configuration)
            return try reader.requiredMessage(localID: row.localID)
        }
    }

    private static func row(of id: Message.ID, in database: Database) throws -> OutboxRow {
        guard let localID = try MessageTable(database: database).localID(of: id) else {
            throw MessageBeastError(.notFound, "the message \(id) is not stored")
        }
        guard let row = try OutboxTable(database: database).row(localID) else {
            throw MessageBeastError(.notEditable, "the message \(id) is not waiting to be sent")
        }
        guard [.queued, .parked].contains(row.state) else {
            throw MessageBeastError(.notEditable, "the message \(id) is being sent")
        }
        return row
    }

    private static func displayDate(of localID: Int64, in database: Database) throws -> Milliseconds {
        let date = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT display_date_ms FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
        return Milliseconds(date ?? 0)
    }

    private static func store(
        _ message: UnsentMessage,
        in row: OutboxRow,
        configuration: MessageManagerConfiguration,
        now: Milliseconds,
        _ database: Database
    ) throws {
        try database.cachedStatement(
            sql: "UPDATE message SET display_date_ms = ?, json_version = ?, text = ?, json = ? WHERE local_id = ?"
        ).execute(arguments: [
            message.derivation.displayDate.value, IncomingMessage.jsonVersion, message.derivation.text, message.json,
            row.localID,
        ])
        let channel = try ChannelTable(database: database).required(row.channel)
        try DerivedRows(database: database, channel: channel, configuration: configuration, now: now)
            .replace(of: row.localID, with: message.derivation)
    }
}

extension OutboxRow {
    /// Whether a search must first determine if the service has the message.
    var isUnknown: Bool { state == .parked && (isRestored || errorCode == OutboxTable.unknownOutcome) }

    /// Whether another device may have deleted the message on the service.
    var isPerhapsDeleted: Bool { state == .parked && errorCode == ParkedReason.maybeDeletedElsewhere.code }

    /// Whether a request with the token was made. A restored message may have been posted by the store that it was
    /// exported from, which the claim does not show.
    var mayBePosted: Bool { claimed != nil || isUnknown || isPerhapsDeleted }
}

extension OutboxTable {
    /// Returns whether a message waits for another one, directly or through others.
    func waits(_ localID: Int64?, for other: Int64) throws -> Bool {
        guard let localID else { return false }
        let statement = try database.cachedStatement(
            sql: """
                WITH RECURSIVE chain (id) AS (
                    VALUES (?1)
                    UNION SELECT o.depends_on_local_id FROM chain CROSS JOIN outbox AS o ON o.local_id = chain.id
                    WHERE o.depends_on_local_id IS NOT NULL
                )
                SELECT EXISTS (SELECT 1 FROM chain WHERE id = ?2)
                """
        )
        return try Bool.fetchOne(statement, arguments: [localID, other]) ?? false
    }
}
