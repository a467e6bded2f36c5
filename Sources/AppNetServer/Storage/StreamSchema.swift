internal import GRDB

extension AppNetSchema.Migration {
    /// App streams and filters (§2.11, §2.13).
    static let streams = Self(name: "streams") { database in
        try database.create(table: "appnet_filter", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("owner", .integer).notNull().indexed()
            table.column("document", .text).notNull()
        }
        try database.create(table: "appnet_stream", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("token", .integer).notNull()
            table.column("client", .text).notNull()
            table.column("object_types", .text).notNull()
            table.column("filter", .integer)
            table.column("key", .text)
            table.uniqueKey(["token", "key"])
        }
    }
}
