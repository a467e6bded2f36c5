internal import AppNet
internal import GRDB

/// A message that an action acts on.
struct ActionTarget: Hashable, Sendable {
    /// The current id: temporary while the message is unsent.
    let id: String
    /// The local id; `nil` for a message that is not stored.
    let localID: Int64?
    /// Whether the service has the message.
    let isSent: Bool

    /// Creates the target for a message of the service, which need not be stored.
    init(serverID id: String, in database: Database) throws {
        self.id = id
        localID = try MessageTable(database: database).localIDs(of: [id])[id]
        isSent = true
    }

    /// Reads a stored message.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound``.
    init(localID: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, kind FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
        guard let row else { throw MessageBeastError(.notFound, "the message is no longer stored") }
        id = row[0]
        self.localID = localID
        isSent = row[1] == MessagePlus.State.sent.rawValue
    }

    /// Reads a stored message of the channel that an action channel belongs to.
    ///
    /// - Parameter id: The id, which may be temporary.
    /// - Throws: ``MessageBeastError/Kind/notFound``; ``MessageBeastError/Kind/invalidArgument`` for a draft and for a
    ///   message of another channel.
    init(_ id: Message.ID, for channel: ChannelRecord, in database: Database) throws {
        guard let localID = try MessageTable(database: database).localID(of: id) else {
            throw MessageBeastError(.notFound, "the message \(id) is not stored")
        }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT channel_id, kind FROM message WHERE local_id = ?"),
            arguments: [localID]
        )
        guard let row, row[1] != MessagePlus.State.draft.rawValue,
            (row[0] as String).hasSameBytes(as: channel.targetChannelID ?? "")
        else {
            throw MessageBeastError(
                .invalidArgument,
                "the message \(id) is a draft, or it does not belong to the channel of the action channel \(channel.id)"
            )
        }
        try self.init(localID: localID, in: database)
    }
}

extension ActionSpecTable {
    /// Returns the current id of the message that an action message acts on; `nil` if it acts on none.
    func targetID(of action: Int64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT target_message_id FROM action_spec WHERE action_local_id = ?"),
            arguments: [action]
        )
    }

    /// Returns an unsent message with the current id of the message that it acts on.
    func materialized(_ message: Message, of localID: Int64) throws -> Message {
        guard let id = try targetID(of: localID), message.targetMessageID?.text.hasSameBytes(as: id) != true else {
            return message
        }
        var message = message
        message.annotations?.removeAll { $0.type.hasSameBytes(as: MessageBeastNames.targetMessage) }
        message.addTargetMessage(Message.ID(id))
        return message
    }
}
