import GRDB

/// The rows of a store's tables.
enum TableCounts {
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
