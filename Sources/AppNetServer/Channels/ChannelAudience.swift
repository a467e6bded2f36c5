internal import GRDB
internal import HeliumServerKit

/// The subscribers of channels, and the users who muted them.
struct ChannelAudience {
    /// A user's subscription to a channel. Its id is its pagination id.
    struct Subscription: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_subscription"

        @RowID var id: Int64
        let channel: Int64
        let user: Int64
    }

    /// A record of a channel that a user muted.
    private struct Mute: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_channel_mute"

        @RowID var id: Int64
        let channel: Int64
        let user: Int64
    }

    private static let pair = "channel = ? AND user = ?"

    let database: Database

    func subscription(of user: Int64, to channel: Int64) throws -> Subscription? {
        try Subscription.fetchOne(database, where: Self.pair, [channel, user])
    }

    func isSubscribed(_ user: Int64, to channel: Int64) throws -> Bool {
        try Subscription.exists(database, where: Self.pair, [channel, user])
    }

    func hasMuted(_ user: Int64, _ channel: Int64) throws -> Bool {
        try Mute.exists(database, where: Self.pair, [channel, user])
    }

    /// Subscribes a user. Returns `false` if the user was already subscribed.
    func subscribe(_ user: Int64, to channel: Int64) throws -> Bool {
        try Subscription(id: 0, channel: channel, user: user).insert(database, onConflict: .ignore)
        return database.changesCount > 0
    }

    /// Unsubscribes a user. Returns `false` if the user was not subscribed.
    func unsubscribe(_ user: Int64, from channel: Int64) throws -> Bool {
        try Subscription.delete(database, where: Self.pair, [channel, user])
    }

    func mute(_ channel: Int64, by user: Int64) throws -> Bool {
        try Mute(id: 0, channel: channel, user: user).insert(database, onConflict: .ignore)
        return database.changesCount > 0
    }

    func unmute(_ channel: Int64, by user: Int64) throws -> Bool {
        try Mute.delete(database, where: Self.pair, [channel, user])
    }

    /// Returns the subscriptions to a channel in a window of their ids.
    func subscriptions(to channel: Int64, _ window: PageWindow) throws -> [Subscription] {
        try Subscription.fetchAll(database, where: "channel = ?", [channel], window)
    }

    /// Returns the subscribers in the order of their subscriptions.
    func subscribers(of channel: Int64) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT user FROM appnet_subscription WHERE channel = ? ORDER BY id"
        )
        return try Int64.fetchAll(statement, arguments: [channel])
    }

    func subscriberCount(of channel: Int64) throws -> Int {
        try Subscription.fetchCount(database, where: "channel = ?", [channel])
    }
}
