internal import GRDB
internal import HeliumServerKit

/// Everything that App.net keeps.
final class AppNetStore: OrderedStore {
    let database: any DatabaseWriter
    let reads = ReadGate(ServerDatabase.readsPerProtocol)
    /// The credentials of the ready line.
    let credentials: AppNetCredentials

    /// Uses a database to which the migrations have been applied, and makes the configuration's accounts that are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` where no secret can be made.
    init(_ database: any DatabaseWriter, configuration: AppNetServerConfiguration) throws {
        self.database = database
        let now = configuration.clock.milliseconds() / 1000
        credentials = try database.write { database in
            try AppNetCredentials.prepare(configuration.accounts, database: database, now: now)
        }
    }
}
