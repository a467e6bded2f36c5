internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumServerKit

/// Everything that App.net keeps.
final class AppNetStore: OrderedStore {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)
    let random: RandomSource
    /// The credentials of the ready line.
    let credentials: AppNetCredentials

    /// Uses a database to which the migrations have been applied, and makes the configuration's accounts that are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` if a password cannot be hashed.
    init(_ access: DatabaseAccess, random: RandomSource = .system, configuration: AppNetServerConfiguration) throws {
        self.access = access
        self.random = random
        let now = configuration.clock.milliseconds() / 1000
        credentials = try access.database.write { database in
            try AppNetCredentials.prepare(configuration.accounts, database: database, random: random, now: now)
        }
    }
}

extension SettingTable {
    /// The sequences of App.net.
    init(database: Database) { self.init(database, name: "appnet_setting") }
}
