internal import GRDB

extension AppNetSchema.Migration {
    /// Channels, messages, subscriptions, mutes and stream markers (§2.1–2.3).
    static let channels = Self(name: "channels") { database in
        try database.create(table: "appnet_channel", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("type", .text).notNull().indexed()
            table.column("owner", .integer).notNull().indexed()
            table.column("created", .integer).notNull()
            for name in ["readers", "writers", "editors", "annotations"] { table.column(name, .text).notNull() }
            table.column("is_inactive", .integer).notNull()
            table.column("messages", .integer).notNull()
            table.column("recent_message", .integer)
            // Grows with every message of any channel: the order and the pagination ids of the inbox.
            table.column("activity", .integer).notNull().unique()
            // The members of a private conversation, sorted: one channel for each group.
            table.column("members", .text).unique()
        }
        try database.create(table: "appnet_subscription", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("channel", .integer).notNull()
            table.column("user", .integer).notNull().indexed()
            table.uniqueKey(["channel", "user"])
        }
        try database.create(table: "appnet_channel_mute", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("channel", .integer).notNull()
            table.column("user", .integer).notNull().indexed()
            table.uniqueKey(["channel", "user"])
        }
        try database.create(table: "appnet_message", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("channel", .integer).notNull()
            table.column("user", .integer).notNull().indexed()
            table.column("client", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("text", .text)
            table.column("entities", .text).notNull()
            table.column("annotations", .text).notNull()
            table.column("thread", .integer).notNull()
            table.column("reply_to", .integer)
            table.column("replies", .integer).notNull()
            table.column("machine_only", .integer).notNull()
            table.column("is_deleted", .integer).notNull()
        }
        try database.create(indexOn: "appnet_message", columns: ["channel", "id"])
        try database.create(table: "appnet_marker", options: .strict) { table in
            table.column("user", .integer).notNull()
            table.column("name", .text).notNull()
            table.column("item", .integer).notNull()
            table.column("last_read", .integer).notNull()
            table.column("percentage", .integer).notNull()
            table.column("updated", .integer).notNull()
            table.column("version", .text).notNull()
            table.primaryKey(["user", "name"])
        }
    }
}
