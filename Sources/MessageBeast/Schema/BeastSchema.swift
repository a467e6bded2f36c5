internal import GRDB
internal import HeliumDatabase

/// The schema of the engine's database.
///
/// A released migration never changes. `Fixtures/messagebeast` has a file of each version.
enum BeastSchema {
    /// `HeMB` in ASCII.
    static let mark = DatabaseFile.Mark(applicationID: 0x4865_4D42, version: 1)

    /// The migrations, oldest first.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        // Immediate checks: a deferred one reads the whole database again.
        migrator.registerMigration("messagebeast-1", foreignKeyChecks: .immediate, migrate: SchemaVersion1.create)
        migrator.registerMigration("messagebeast-2", foreignKeyChecks: .immediate, migrate: SchemaVersion2.migrate)
        return migrator
    }()
}
