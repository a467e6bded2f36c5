internal import GRDB
internal import HeliumServerKit

/// The tables of App.net. Each area has its own migration. Do not change a registered migration.
enum AppNetSchema {
    /// A migration that creates the tables of one area.
    struct Migration: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    /// All migrations, in the order in which they run. Add new ones at the end.
    static let migrations: [Migration] = [
        .accounts, .channels, .files, .posts, .streams, .oauth, .pnut, .liveMessages, .pnutService, .codeTokens,
        .search, .endedTokens, .pollSearch, .streamClients,
        .removal,
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration("appnet-\(migration.name)", migrate: migration.make)
        }
        return migrator
    }
}

// The migrations of accounts, channels and posts are in separate files.
extension AppNetSchema.Migration {
    /// The tables of files, derived files and read tokens (Docs/Protocols/AppNet.md §2.4).
    static let files = Self(name: "files") { try FileTable.createTables($0) }

    /// The tables of app streams and filters (Docs/Protocols/AppNet.md §2.11, §2.13).
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

    /// The tables of codes and delegate tokens of the OAuth flows (Docs/Protocols/AppNet.md §1.3).
    static let oauth = Self(name: "oauth") { try AuthorizationCodeTable.createTables($0) }

    /// The tables for pnut's own calls (Docs/Protocols/AppNet.md §6.2).
    static let pnut = Self(name: "pnut") { try PnutTable.createTables($0) }

    /// The index that finds a channel's latest message that is not deleted, for any number of later deleted messages.
    static let liveMessages = Self(name: "live-messages") { database in
        try database.execute(
            sql: "CREATE INDEX appnet_message_live ON appnet_message (channel, id) WHERE NOT is_deleted"
        )
    }

    /// The tables for pnut's other calls: polls, revisions, presence in channels, marks and attachments
    /// (Docs/Protocols/AppNet.md §6.2, §6.3).
    static let pnutService = Self(name: "pnut-service") { database in
        try PollTable.createTables(database)
        try PostRevisionTable.createTables(database)
        try PresenceTable.createTables(database)
        try PnutMarkTable.createTables(database)
        try AttachmentTable.createTables(database)
    }

    /// The column for the token of a used code.
    static let codeTokens = Self(name: "codeTokens") { try AuthorizationCodeTable.addTokens($0) }

    /// The index of revoked and expired tokens.
    static let endedTokens = Self(name: "endedTokens") { try AppNetTokenTable.addEndedIndex($0) }

    /// The index of the app streams of an app.
    static let streamClients = Self(name: "stream-clients") { try AppStreamTable.addClientIndex($0) }

    /// The rows of deleted objects that remain to be deleted.
    static let removal = Self(name: "removal") { try RowRemoval.createTables($0) }

    /// The full-text indexes for searches, filled with the existing objects.
    static let search = Self(name: "search") { try SearchIndex.createTables($0) }

    /// The indexes for searches of polls: the words of the prompts, and the order by the time of closing.
    static let pollSearch = Self(name: "poll-search") { database in
        try SearchIndex.createPollTable(database)
        try database.execute(sql: "CREATE INDEX appnet_poll_end ON appnet_poll (\(PollTable.endOrder))")
    }
}
