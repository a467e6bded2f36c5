internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored channels.
struct AppNetChannelTable {
    let database: Database

    func channel(_ id: Int64) throws -> AppNetChannel? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_channel WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Self.channel(row:))
    }

    /// The private conversation of exactly these people.
    func channel(members: String) throws -> AppNetChannel? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_channel WHERE members = ?", arguments: [members])
            .map(Self.channel(row:))
    }

    /// The channels of an owner in a window of ids.
    func channels(of owner: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_channel WHERE owner = ?\(window.sql("id"))",
            arguments: [owner]
        ).map(Self.channel(row:))
    }

    /// The channels that a user is subscribed to, in a window of their activity.
    func subscribed(by user: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT appnet_channel.* FROM appnet_channel JOIN appnet_subscription
                ON appnet_subscription.channel = appnet_channel.id
                WHERE appnet_subscription.user = ?\(window.sql("appnet_channel.activity"))
                """,
            arguments: [user]
        ).map(Self.channel(row:))
    }

    /// All channels of a type that a user is subscribed to.
    func subscribed(by user: Int64, type: String) throws -> [AppNetChannel] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT appnet_channel.* FROM appnet_channel JOIN appnet_subscription
                ON appnet_subscription.channel = appnet_channel.id
                WHERE appnet_subscription.user = ? AND appnet_channel.type = ?
                """,
            arguments: [user, type]
        ).map(Self.channel(row:))
    }

    /// The channels that a user muted, the latest first.
    func muted(by user: Int64) throws -> [AppNetChannel] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT appnet_channel.* FROM appnet_channel JOIN appnet_channel_mute
                ON appnet_channel_mute.channel = appnet_channel.id
                WHERE appnet_channel_mute.user = ? ORDER BY appnet_channel_mute.id DESC
                """,
            arguments: [user]
        ).map(Self.channel(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_channel") ?? 0 }

    /// Stores a new channel, whatever its id says, and gives it its id.
    func insert(_ channel: AppNetChannel) throws -> AppNetChannel {
        try database.execute(
            sql: """
                INSERT INTO appnet_channel (type, owner, created, readers, writers, editors, annotations, is_inactive,
                    messages, recent_message, activity, members) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: Self.arguments(channel)
        )
        var channel = channel
        channel.id = database.lastInsertedRowID
        return channel
    }

    func update(_ channel: AppNetChannel) throws {
        try database.execute(
            sql: """
                UPDATE appnet_channel SET type = ?, owner = ?, created = ?, readers = ?, writers = ?, editors = ?,
                    annotations = ?, is_inactive = ?, messages = ?, recent_message = ?, activity = ?, members = ?
                WHERE id = ?
                """,
            arguments: Self.arguments(channel) + [channel.id]
        )
    }

    private static func arguments(_ channel: AppNetChannel) -> StatementArguments {
        [
            channel.type, channel.owner, channel.created, channel.readers.stored.text(), channel.writers.stored.text(),
            channel.editors.stored.text(), JSONValue.array(channel.annotations).text(), channel.isInactive,
            channel.messages, channel.recentMessage, channel.activity, channel.members,
        ]
    }

    static func channel(row: Row) -> AppNetChannel {
        func acl(_ name: String) -> ChannelACL { ChannelACL(stored: JSONValue.parse(row[name]) ?? .null) }
        return AppNetChannel(
            id: row["id"],
            type: row["type"],
            owner: row["owner"],
            created: row["created"],
            readers: acl("readers"),
            writers: acl("writers"),
            editors: acl("editors"),
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? [],
            isInactive: row["is_inactive"],
            messages: row["messages"],
            recentMessage: row["recent_message"],
            activity: row["activity"],
            members: row["members"]
        )
    }
}
