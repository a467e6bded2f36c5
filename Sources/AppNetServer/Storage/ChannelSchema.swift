internal import GRDB
internal import HeliumServerKit

extension AppNetSchema.Migration {
    /// The tables of channels, messages, subscriptions, mutes and stream markers (Docs/Protocols/AppNet.md §2.1–2.3).
    static let channels = Self(name: "channels") { database in
        try database.create(table: "appnet_channel", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("type", .text).notNull().indexed()
            table.column("owner", .integer).notNull().indexed()
            table.requiredColumns(.integer, "created")
            table.requiredColumns(.text, "readers", "writers", "editors", "annotations")
            table.requiredColumns(.integer, "is_inactive", "messages")
            table.column("recent_message", .integer)
            // A sequence number that every message in the channel updates. It determines the order and the pagination
            // ids of the inbox.
            table.column("activity", .integer).notNull().unique()
            // The sorted members of a private conversation. There is one channel for each set of members.
            table.column("members", .text).unique()
        }
        try database.create(table: "appnet_subscription", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "channel")
            table.column("user", .integer).notNull().indexed()
            table.uniqueKey(["channel", "user"])
        }
        try database.create(table: "appnet_channel_mute", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "channel")
            table.column("user", .integer).notNull().indexed()
            table.uniqueKey(["channel", "user"])
        }
        try database.create(table: "appnet_message", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "channel")
            table.column("user", .integer).notNull().indexed()
            table.requiredColumns(.text, "client")
            table.requiredColumns(.integer, "created")
            table.column("text", .text)
            table.requiredColumns(.text, "entities", "annotations")
            table.requiredColumns(.integer, "thread")
            table.column("reply_to", .integer)
            table.requiredColumns(.integer, "replies", "machine_only", "is_deleted")
        }
        try database.create(indexOn: "appnet_message", columns: ["channel", "id"])
        try database.create(table: "appnet_marker", options: .strict) { table in
            table.requiredColumns(.integer, "user")
            table.requiredColumns(.text, "name")
            table.requiredColumns(.integer, "item", "last_read", "percentage", "updated")
            table.requiredColumns(.text, "version")
            table.primaryKey(["user", "name"])
        }
    }
}
