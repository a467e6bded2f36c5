internal import GRDB
internal import HeliumServerKit

extension AppNetChannel: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_channel"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The table of channels.
struct AppNetChannelTable {
    let database: Database

    private var index: SearchIndex { SearchIndex(.channel, database) }

    func channel(_ id: Int64) throws -> AppNetChannel? { try AppNetChannel.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the private conversation with exactly these members.
    func channel(members: String) throws -> AppNetChannel? {
        try AppNetChannel.fetchOne(database, where: "members = ?", [members])
    }

    /// Returns the channels of an owner in a window of ids.
    func channels(of owner: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: "owner = ?", [owner], window)
    }

    /// Returns the channels for a search in a window of ids or of activity.
    ///
    /// - Parameter terms: The expression for the index; `nil` for all channels.
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

    /// Calls a function with each channel for a search, newest first.
    func forEach(matching terms: SearchExpression?, _ body: (AppNetChannel) throws -> Void) throws {
        let (condition, arguments) = terms.map(index.condition) ?? ("1 = 1", [])
        let request = AppNetChannel.filter(sql: condition, arguments: arguments)
            .order(AppNetChannel.CodingKeys.id.desc)
        // Not `compactMap`: two threads that use a cursor of cursors first at the same time can end the process (see
        // `PreparedTypes` of HeliumServerKit).
        let rows = try Row.fetchCursor(database, request)
        while let row = try rows.next() {
            if let channel = AppNetChannel.readable(row, in: database) { try body(channel) }
        }
    }

    private static let openRooms = "type = 'net.app.core.chat' AND NOT is_inactive"

    /// Returns the active chat rooms in a window of ids or of activity.
    func rooms(_ window: PageWindow, byActivity: Bool) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: Self.openRooms, [], window, by: byActivity ? "activity" : "id")
    }

    /// Returns the newest active chat rooms.
    func rooms(limit: Int) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, where: Self.openRooms + " ORDER BY id DESC LIMIT ?", [limit])
    }

    /// Returns the channels that a user is subscribed to, in a window of their activity.
    func subscribed(by user: Int64, _ window: PageWindow) throws -> [AppNetChannel] {
        try AppNetChannel.fetchAll(database, [user], window) { window in
            """
            \(Self.joined("subscription")) WHERE appnet_subscription.user = ?\(window.sql("appnet_channel.activity"))
            """
        }
    }

    /// Returns all channels of a type that a user is subscribed to.
    func subscribed(by user: Int64, type: String) throws -> [AppNetChannel] {
        try AppNetChannel.fetchReadable(
            database,
            sql: "\(Self.joined("subscription")) WHERE appnet_subscription.user = ? AND appnet_channel.type = ?",
            arguments: [user, type]
        )
    }

    /// A channel that a user muted. The id is the pagination id.
    struct Mute: Decodable, FetchableRecord, Hashable, Sendable {
        let id: Int64
        let channel: Int64
    }

    /// Returns the channels that a user muted, last muted first. Their rows are not decoded.
    func mutes(by user: Int64) throws -> [Mute] {
        let sql = "SELECT id, channel FROM appnet_channel_mute WHERE user = ? ORDER BY id DESC"
        return try Mute.fetchAll(database, sql: sql, arguments: [user])
    }

    /// Returns SQL that joins channels with a table of users in channels.
    private static func joined(_ table: String) -> String {
        """
        SELECT appnet_channel.* FROM appnet_channel JOIN appnet_\(table)
        ON appnet_\(table).channel = appnet_channel.id
        """
    }

    func count() throws -> Int { try AppNetChannel.fetchCount(database) }

    /// Returns the number of a new activity in a channel, which is greater than all earlier ones.
    func nextActivity() throws -> Int64 {
        try SettingTable(database: database).next("activity", above: AppNetChannel.greatest("activity", database))
    }

    /// Stores a new channel and sets its id. The previous id is ignored.
    func insert(_ channel: AppNetChannel) throws -> AppNetChannel {
        let channel = try channel.inserted(database)
        try index.set(SearchTerms(channel), of: channel.id)
        return channel
    }

    func update(_ channel: AppNetChannel) throws {
        try channel.update(database)
        try index.set(SearchTerms(channel), of: channel.id)
    }

    /// Stores the members of a channel that a message changes.
    func updateActivity(_ channel: AppNetChannel) throws {
        try channel.update(database, columns: [AppNetChannel.CodingKeys.messages, .recentMessage, .activity])
    }
}
