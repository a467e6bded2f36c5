internal import GRDB

/// The tables of App.net. Each area has a migration of its own in its own file; a registered one never changes.
enum AppNetSchema {
    /// Makes the tables of one area.
    struct Migration: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    /// All migrations, in the order in which they run. New ones stand at the end.
    static let migrations: [Migration] = [
        .accounts, .channels, .files, .posts, .streams, .oauth, .pnut, .liveMessages, .pnutService, .codeTokens,
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration("appnet-\(migration.name)", migrate: migration.make)
        }
        return migrator
    }
}
