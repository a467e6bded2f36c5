internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumServerKit

/// The store of App.net.
final class AppNetStore: OrderedStore {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)
    let random: RandomSource
    /// The credentials in the ready line.
    let credentials: AppNetCredentials

    /// Opens the store in a database to which the migrations have been applied, and creates the accounts of the
    /// configuration that are missing.
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
    /// Creates the table of App.net's settings and sequences.
    init(database: Database) { self.init(database, name: "appnet_setting") }
}
