internal import GRDB
internal import HeliumConcurrency
internal import HeliumDatabase
internal import HeliumServerKit

/// Everything that App.net keeps.
final class AppNetStore: OrderedStore {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)
    /// The credentials of the ready line.
    let credentials: AppNetCredentials

    /// Uses a database to which the migrations have been applied, and makes the configuration's accounts that are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` where no secret can be made.
    init(_ database: any DatabaseWriter, configuration: AppNetServerConfiguration) throws {
        access = DatabaseAccess(database)
        let now = configuration.clock.milliseconds() / 1000
        credentials = try database.write { database in
            try AppNetCredentials.prepare(configuration.accounts, database: database, now: now)
        }
    }
}

extension SettingTable {
    /// The sequences of App.net.
    init(database: Database) { self.init(database, name: "appnet_setting") }
}
