internal import AppNet
internal import GRDB

/// Reads the actions of an action channel from one snapshot of the database (Docs/Protocols/MessageBeast.md §5.7).
struct ActionReader {
    let database: Database
    let channel: ChannelRecord

    /// - Throws: ``MessageBeastError/Kind/notFound`` for a channel that is not stored,
    ///   ``MessageBeastError/Kind/invalidArgument`` for a channel that is not an action channel.
    init(database: Database, channel: AppNetChannel.ID) throws {
        self.database = database
        self.channel = try ChannelTable(database: database).requiredActionChannel(channel.text)
    }

    /// Returns whether the action is on a message, which need not be stored.
    func isActioned(_ id: Message.ID) throws -> Bool { try actionedIDs(among: [id]).contains(id) }

    /// Returns the ids, among those given, of the messages that the action is on. Temporary ids are accepted.
    func actionedIDs(among ids: [Message.ID]) throws -> Set<Message.ID> {
        let statement = try database.cachedStatement(
            sql: """
                SELECT list.value FROM json_each(?2) AS list WHERE EXISTS (
                    SELECT 1 FROM action_spec AS spec
                    WHERE spec.action_channel_id = ?1 AND spec.target_message_id = list.value
                ) OR EXISTS (
                    SELECT 1 FROM message AS m CROSS JOIN action_spec AS spec
                    WHERE m.client_token = list.value AND m.hidden = 0
                    AND spec.action_channel_id = ?1 AND spec.target_message_id = m.id
                ) OR EXISTS (
                    SELECT 1 FROM former_id AS former CROSS JOIN message AS m ON m.local_id = former.local_id
                    CROSS JOIN action_spec AS spec
                    WHERE former.id = list.value AND m.hidden = 0
                    AND spec.action_channel_id = ?1 AND spec.target_message_id = m.id
                )
                """
        )
        let found = try String.fetchAll(statement, arguments: [channel.id, JSONList.text(ids.map(\.text))])
        return Set(found.map { Message.ID($0) })
    }

    /// Returns whether the action is on any message.
    func hasActioned() throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM action_spec WHERE action_channel_id = ? LIMIT 1"),
            arguments: [channel.id]
        ) != nil
    }

    /// Returns the number of messages that the action is on, including messages that are not stored.
    func count() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(DISTINCT target_message_id) FROM action_spec WHERE action_channel_id = ?"
            ),
            arguments: [channel.id]
        ) ?? 0
    }

    /// Returns the stored messages that the action is on, newest first.
    func messages(before cursor: MessageCursor?, limit: Int?) throws -> [MessagePlus] {
        let source = HitSource.actioned(channel.id)
        return try MessageQuery(channel: channel.targetChannelID ?? "", before: cursor, limit: limit, sources: [source])
            .fetch(in: database)
    }
}

extension ChannelTable {
    /// Returns the action channel with an id.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound``, ``MessageBeastError/Kind/invalidArgument`` for a channel of
    ///   another kind.
    func requiredActionChannel(_ id: String) throws -> ChannelRecord {
        let channel = try required(id)
        guard channel.kind == .action else {
            throw MessageBeastError(.invalidArgument, "the channel \(id) is not an action channel")
        }
        return channel
    }
}

extension HitSource {
    /// Returns the source of the messages that an action is on. Several action messages for one message count once.
    fileprivate static func actioned(_ channel: String) -> Self {
        Self(
            table: "action_spec AS spec",
            localID: "spec.target_local_id",
            condition: """
                spec.action_channel_id = ? AND spec.target_local_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM action_spec AS other
                    WHERE other.target_local_id = spec.target_local_id
                    AND other.action_channel_id = spec.action_channel_id AND other.action_local_id < spec.action_local_id
                )
                """,
            arguments: [channel]
        )
    }
}
