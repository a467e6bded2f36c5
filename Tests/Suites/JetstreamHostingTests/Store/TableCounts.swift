import GRDB

/// The tables of a store, read and changed behind its server.
enum TableCounts {
    /// Undoes the migration that stores the addresses of sessions.
    static func removeAddresses(_ path: String) throws {
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    ALTER TABLE jetstream_session DROP COLUMN address;
                    DELETE FROM grdb_migrations WHERE identifier = 'jetstream-2';
                    """
            )
        }
    }

    static func read(_ path: String) throws -> [String: Int] {
        let tables = ["jetstream_body", "jetstream_message", "jetstream_session", "jetstream_fetch"]
        return try DatabaseQueue(path: path).read { database in
            var counts: [String: Int] = [:]
            for table in tables {
                counts[table] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
            return counts
        }
    }
}
