internal import GRDB
internal import HeliumDatabase

/// The schema of the engine's database.
///
/// A released migration never changes. `Fixtures/messagebeast` has a file of each version.
enum BeastSchema {
    /// `HeMB` in ASCII.
    static let mark = DatabaseFile.Mark(applicationID: 0x4865_4D42, version: 1)

    /// A change of the schema.
    struct Migration: Sendable {
        let name: String
        let migrate: @Sendable (Database) throws -> Void
    }

    /// The migrations, oldest first.
    static let migrations = [
        Migration(name: "messagebeast-1", migrate: SchemaVersion1.create),
        Migration(name: "messagebeast-2", migrate: SchemaVersion2.migrate),
        Migration(name: SchemaVersion3.name, migrate: SchemaVersion3.migrate),
        Migration(name: SchemaVersion4.name, migrate: SchemaVersion4.migrate),
        Migration(name: SchemaVersion5.name, migrate: SchemaVersion5.migrate),
    ]

    /// Applies the missing migrations to a database.
    ///
    /// All of them run in one immediate transaction. GRDB's migrator reads the applied migrations before its
    /// transactions, so two processes that open a new file would both create the tables. The table of applied
    /// migrations is that of GRDB.
    ///
    /// - Parameter last: The name of the last migration to apply. Default: `nil`, all.
    /// - Throws: ``DatabaseFile/Fault/newer`` if the database has unknown migrations.
    static func migrate(_ database: Database, upTo last: String? = nil) throws {
        try database.execute(
            sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
        )
        let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
        guard applied.isSubset(of: migrations.map(\.name)) else { throw DatabaseFile.Fault.newer }
        for migration in migrations {
            if !applied.contains(migration.name) {
                try migration.migrate(database)
                try database.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
                    arguments: [migration.name]
                )
            }
            if migration.name == last { return }
        }
    }

    /// Returns whether a database can be read without migrating it: since version 2, only indexes, what an engine that
    /// writes reads, and columns that reading does without changed.
    ///
    /// - Throws: ``DatabaseFile/Fault/newer`` if the database has unknown migrations.
    static func isReadable(_ database: Database) throws -> Bool {
        guard try database.hasTable("grdb_migrations") else { return false }
        let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
        guard applied.isSubset(of: migrations.map(\.name)) else { throw DatabaseFile.Fault.newer }
        return applied.contains("messagebeast-2")
    }

    /// Checks that no newer version of the library migrated the database while it was open. Costs one small read.
    ///
    /// - Throws: ``DatabaseFile/Fault/newer``.
    static func check(_ database: Database) throws {
        let applied = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM grdb_migrations"))
        guard applied ?? 0 <= migrations.count else { throw DatabaseFile.Fault.newer }
    }
}
