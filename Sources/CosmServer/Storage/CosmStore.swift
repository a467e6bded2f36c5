internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumJSON
internal import HeliumServerKit

/// The persistent data of Cosm.
final class CosmStore: OrderedStore {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)
    let random: RandomSource
    /// The decoded keys of triggers and subscriptions.
    let keyCache: KeyCache
    /// The key with all permissions for the owner's account.
    let masterKey: String

    /// Uses a database to which the migrations have been applied. Creates the owner's account if it is missing.
    ///
    /// - Throws: GRDB's `DatabaseError`.
    init(_ access: DatabaseAccess, random: RandomSource = .system, configuration: CosmConfiguration) throws {
        self.access = access
        self.random = random
        let keyCache = KeyCache()
        self.keyCache = keyCache
        masterKey = try access.database.write { try Self.prepareOwner(configuration, random, keyCache, in: $0) }
    }

    /// Returns the ids of triggers that do not fire since the upgrade, for the log of the start.
    func mutedTriggers() throws -> [Int] {
        try access.database.read { try TriggerTable(database: $0).withoutKey(limit: Self.maximumLoggedTriggers) }
    }

    /// The maximum number of ids in a line of the log.
    private static let maximumLoggedTriggers = 100

    private static func prepareOwner(
        _ configuration: CosmConfiguration,
        _ random: RandomSource,
        _ keyCache: KeyCache,
        in database: Database
    ) throws -> String {
        let settings = SettingTable(database: database)
        let users = UserTable(database: database)
        let keys = KeyWriter(database: database, cache: keyCache)
        let stored = try settings.value("master key")
        let secret = configuration.masterKey ?? stored ?? random.secret()
        if let stored, stored != secret {
            try keys.delete(stored)
            try TriggerTable(database: database).replace(key: stored, by: secret)
        }
        let owner = configuration.owner
        let key = try KeyTable(database: database).key(secret)
        // The configuration can name a key that was limited.
        if key?.owner != owner || key?.hasNoLimits != true {
            try keys.delete(secret)
            try keys.insert(.master(secret, owner: owner))
        }
        if var user = try users.user(owner) {
            user.profile["api_key"] = .string(secret)
            try users.update(user)
        } else {
            // The row exists if it cannot be read.
            try users.delete(owner)
            try users.insert(.new(owner, key: secret))
        }
        try settings.set("master key", secret)
        return secret
    }
}

extension SettingTable {
    /// Creates the table of Cosm's settings: the master key and the sequences of ids.
    init(database: Database) { self.init(database, name: "cosm_setting") }
}
