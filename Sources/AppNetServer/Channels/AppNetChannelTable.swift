internal import GRDB
internal import HeliumServerKit

extension AppNetChannel: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_channel"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The stored channels.
struct AppNetChannelTable {
    let database: Database

    private var index: SearchIndex { SearchIndex(.channel, database) }

    func channel(_ id: Int64) throws -> AppNetChannel? { try AppNetChannel.fetchOne(database, where: "id = ?", [id]) }

    /// The private conversation of exactly these people.
    func channel(members: String) throws -> AppNetChannel? {
        try AppNetChannel.fetchOne(database, where: "members = ?", [members])
    }

    /// The channels of an owner in a window of ids.
    func channels(of owner: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: "owner = ?", [owner], window)
    }

    /// The channels that a search looks at, in a window of ids or of activity.
    ///
    /// - Parameter terms: What the index is asked for; `nil` looks at all of them.
    func channels(matching terms: SearchExpression?, _ window: PageWindow, byActivity: Bool) throws -> [AppNetChannel] {
        let (condition, arguments) = terms.map(index.condition) ?? ("1 = 1", [])
        return try AppNetChannel.fetchAll(
            database,
            where: condition,
            arguments,
            window,
            by: byActivity ? "activity" : "id"
        )
    }

    /// All channels that a search looks at, the latest first.
    func channels(matching terms: SearchExpression?) throws -> RecordCursor<AppNetChannel> {
        let (condition, arguments) = terms.map(index.condition) ?? ("1 = 1", [])
        return try AppNetChannel.filter(sql: condition, arguments: arguments)
            .order(AppNetChannel.CodingKeys.id.desc).fetchCursor(database)
    }

    private static let openRooms = "type = 'net.app.core.chat' AND NOT is_inactive"

    /// Chat rooms that are not inactive, in a window of ids or of activity.
    func rooms(_ window: PageWindow, byActivity: Bool) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: Self.openRooms, [], window, by: byActivity ? "activity" : "id")
    }

    /// The latest chat rooms that are not inactive.
    func rooms(limit: Int) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: Self.openRooms + " ORDER BY id DESC LIMIT ?", [limit])
    }

    /// The channels that a user is subscribed to, in a window of their activity.
    func subscribed(by user: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(
            database,
            sql: """
                \(Self.joined("subscription")) WHERE appnet_subscription.user = ?\(window.sql("appnet_channel.activity"))
                """,
            arguments: [user]
        )
    }

    /// All channels of a type that a user is subscribed to.
    func subscribed(by user: Int64, type: String) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(
            database,
            sql: "\(Self.joined("subscription")) WHERE appnet_subscription.user = ? AND appnet_channel.type = ?",
            arguments: [user, type]
        )
    }

    /// The channels that a user muted, the latest first.
    func muted(by user: Int64) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(
            database,
            sql: """
                \(Self.joined("channel_mute")) WHERE appnet_channel_mute.user = ? ORDER BY appnet_channel_mute.id DESC
                """,
            arguments: [user]
        )
    }

    /// The channels with the rows of a table of users in channels.
    private static func joined(_ table: String) -> String {
        """
        SELECT appnet_channel.* FROM appnet_channel JOIN appnet_\(table)
        ON appnet_\(table).channel = appnet_channel.id
        """
    }

    func count() throws -> Int { try AppNetChannel.fetchCount(database) }

    /// Stores a new channel, whatever its id says, and gives it its id.
    func insert(_ channel: AppNetChannel) throws -> AppNetChannel {
        let channel = try channel.inserted(database)
        try index.set(SearchTerms(channel), of: channel.id)
        return channel
    }

    func update(_ channel: AppNetChannel) throws {
        try channel.update(database)
        try index.set(SearchTerms(channel), of: channel.id)
    }

    /// Stores what a message changes of its channel.
    func updateActivity(_ channel: AppNetChannel) throws {
        try channel.update(database, columns: [AppNetChannel.CodingKeys.messages, .recentMessage, .activity])
    }
}
