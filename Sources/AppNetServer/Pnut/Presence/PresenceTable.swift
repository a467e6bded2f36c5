internal import GRDB
internal import HeliumServerKit

/// The table of users' presences, globally or in a channel (Docs/Protocols/AppNet.md §6.2).
struct PresenceTable {
    /// The value of `channel` for a global presence.
    static let everywhere: Int64 = 0
    static let offline = "offline"

    /// A presence and the time at which it was set.
    struct Presence: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_user_presence"

        var channel: Int64
        var user: Int64
        var text: String
        /// The time at which it was set, in seconds since 1970.
        var seen: Int64
        /// The time at which it expires, in seconds since 1970.
        var expires: Int64
    }

    let database: Database

    /// Creates the table and copies the rows of the previous one.
    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_user_presence", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.integer, "channel", "user")
            table.requiredColumns(.text, "text")
            table.requiredColumns(.integer, "seen", "expires")
            table.primaryKey(["channel", "user"])
        }
        try database.execute(
            sql: """
                INSERT INTO appnet_user_presence (channel, user, text, seen, expires)
                SELECT \(everywhere), user, text, seen, seen + 900 FROM appnet_presence;
                DROP TABLE appnet_presence;
                """
        )
    }

    /// Returns the last presence of a user, expired or not; `nil` if none was set.
    func presence(of user: Int64, in channel: Int64 = Self.everywhere) throws -> Presence? {
        try Presence.fetchOne(database, where: "channel = ? AND user = ?", [channel, user])
    }

    /// Returns the users who are not offline, last seen first; at most 200.
    func present(in channel: Int64 = Self.everywhere, at now: Int64) throws -> [Presence] {
        try Presence.fetchAll(
            database,
            where: "channel = ? AND text <> 'offline' AND expires > ? ORDER BY seen DESC, user LIMIT 200",
            [channel, now]
        )
    }

    func save(_ presence: Presence) throws { try presence.insert(database, onConflict: .replace) }
}
