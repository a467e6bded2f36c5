internal import GRDB

/// Who is subscribed to a channel, and who muted it.
struct ChannelAudience {
    let database: Database

    func isSubscribed(_ user: Int64, to channel: Int64) throws -> Bool {
        try exists("SELECT 1 FROM appnet_subscription WHERE channel = ? AND user = ?", channel, user)
    }

    func hasMuted(_ user: Int64, _ channel: Int64) throws -> Bool {
        try exists("SELECT 1 FROM appnet_channel_mute WHERE channel = ? AND user = ?", channel, user)
    }

    /// Whether the user was not subscribed before.
    func subscribe(_ user: Int64, to channel: Int64) throws -> Bool {
        try change("INSERT OR IGNORE INTO appnet_subscription (channel, user) VALUES (?, ?)", channel, user)
    }

    /// Whether the user was subscribed before.
    func unsubscribe(_ user: Int64, from channel: Int64) throws -> Bool {
        try change("DELETE FROM appnet_subscription WHERE channel = ? AND user = ?", channel, user)
    }

    func mute(_ channel: Int64, by user: Int64) throws -> Bool {
        try change("INSERT OR IGNORE INTO appnet_channel_mute (channel, user) VALUES (?, ?)", channel, user)
    }

    func unmute(_ channel: Int64, by user: Int64) throws -> Bool {
        try change("DELETE FROM appnet_channel_mute WHERE channel = ? AND user = ?", channel, user)
    }

    /// The subscribers, the first first.
    func subscribers(of channel: Int64) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT user FROM appnet_subscription WHERE channel = ? ORDER BY id"
        )
        return try Int64.fetchAll(statement, arguments: [channel])
    }

    func subscriberCount(of channel: Int64) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT COUNT(*) FROM appnet_subscription WHERE channel = ?"
        )
        return try Int.fetchOne(statement, arguments: [channel]) ?? 0
    }

    private func exists(_ sql: String, _ channel: Int64, _ user: Int64) throws -> Bool {
        try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [channel, user]) != nil
    }

    private func change(_ sql: String, _ channel: Int64, _ user: Int64) throws -> Bool {
        try database.execute(sql: sql, arguments: [channel, user])
        return database.changesCount > 0
    }
}
