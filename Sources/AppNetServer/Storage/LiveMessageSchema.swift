internal import GRDB

extension AppNetSchema.Migration {
    /// Finds a channel's latest message that is not deleted, however many deleted ones follow it.
    static let liveMessages = Self(name: "live-messages") { database in
        try database.execute(
            sql: "CREATE INDEX appnet_message_live ON appnet_message (channel, id) WHERE NOT is_deleted"
        )
    }
}
