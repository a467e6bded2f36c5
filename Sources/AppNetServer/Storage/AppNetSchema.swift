internal import GRDB
internal import HeliumServerKit

/// The tables of App.net. Each area has a migration of its own; a registered one never changes.
enum AppNetSchema {
    /// Makes the tables of one area.
    struct Migration: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    /// All migrations, in the order in which they run. New ones stand at the end.
    static let migrations: [Migration] = [
        .accounts, .channels, .files, .posts, .streams, .oauth, .pnut, .liveMessages, .pnutService, .codeTokens,
        .search,
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration("appnet-\(migration.name)", migrate: migration.make)
        }
        return migrator
    }
}

// The migrations of accounts, channels and posts are in files of their own.
extension AppNetSchema.Migration {
    /// Files, derived files and read tokens (§2.4).
    static let files = Self(name: "files") { try FileTable.createTables($0) }

    /// App streams and filters (§2.11, §2.13).
    static let streams = Self(name: "streams") { database in
        try database.create(table: "appnet_filter", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("owner", .integer).notNull().indexed()
            table.requiredColumns(.text, "document")
        }
        try database.create(table: "appnet_stream", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "token")
            table.requiredColumns(.text, "client", "object_types")
            table.column("filter", .integer)
            table.column("key", .text)
            table.uniqueKey(["token", "key"])
        }
    }

    /// Codes and delegations of the OAuth flows (§1.3).
    static let oauth = Self(name: "oauth") { try AuthorizationCodeTable.createTables($0) }

    /// The tables of pnut's own calls (§6.2).
    static let pnut = Self(name: "pnut") { try PnutTable.createTables($0) }

    /// Finds a channel's latest message that is not deleted, however many deleted ones follow it.
    static let liveMessages = Self(name: "live-messages") { database in
        try database.execute(
            sql: "CREATE INDEX appnet_message_live ON appnet_message (channel, id) WHERE NOT is_deleted"
        )
    }

    /// The tables of pnut's other calls: polls, revisions, presence in channels, marks, attachments (AppNet.md §6.2, §6.3).
    static let pnutService = Self(name: "pnut-service") { database in
        try PollTable.createTables(database)
        try PostRevisionTable.createTables(database)
        try PresenceTable.createTables(database)
        try PnutMarkTable.createTables(database)
        try AttachmentTable.createTables(database)
    }

    /// The token of a used code.
    static let codeTokens = Self(name: "codeTokens") { try AuthorizationCodeTable.addTokens($0) }

    /// The full-text indexes of searches, with what there is already.
    static let search = Self(name: "search") { try SearchIndex.createTables($0) }
}
