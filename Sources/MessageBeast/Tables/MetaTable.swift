internal import GRDB

/// Metadata about the database itself.
struct MetaTable {
    enum Key: String {
        case account = "account_id"
        /// The origin of the service that the account is of (``ServiceOrigin``).
        case service = "service_origin"
        /// The configuration with which the derived rows were made.
        case fingerprint = "configuration_fingerprint"
        /// A started derivation: its fingerprint, a space, and the last processed message.
        case rederivation
        /// A started upgrade of the indexes: the name of the index, a space, and the last processed row.
        case indexUpgrade = "index_upgrade"
        case serviceConfiguration = "service_configuration"
        /// The time at which the service configuration was fetched, in milliseconds.
        case serviceConfigurationDate = "service_configuration_date"
        /// The time before which the service accepts no requests, a space, and the length of that pause, in
        /// milliseconds.
        case sendingPause = "sending_pause"
    }

    let database: Database

    func value(_ key: Key) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
            arguments: [key.rawValue]
        )
    }

    /// Stores a value; `nil` removes it.
    func set(_ key: Key, _ value: String?) throws {
        guard let value else {
            try database.cachedStatement(sql: "DELETE FROM meta WHERE key = ?").execute(arguments: [key.rawValue])
            return
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO meta (key, value) VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
                """
        ).execute(arguments: [key.rawValue, value])
    }
}
