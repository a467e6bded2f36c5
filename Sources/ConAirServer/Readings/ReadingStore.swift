internal import GRDB
internal import HeliumConcurrency
internal import HeliumDatabase
internal import HeliumServerKit

/// The readings sent to the server.
struct ReadingStore: SharedReaders {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)

    /// Creates a store for a database to which ``migrator`` has been applied.
    init(_ access: DatabaseAccess) { self.access = access }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("conair-1") { database in
            try database.create(table: "conair_reading", options: .strict) { table in
                // In microseconds since 1970.
                table.primaryKey("instant", .integer)
                table.column("value", .real).notNull()
            }
        }
        return migrator
    }

    /// Inserts readings, or replaces those of the same instants, and removes the earliest beyond `maximum`, atomically.
    func save(_ readings: [Reading], maximum: Int) async throws {
        try await access.write { database in
            let insertion = try database.cachedStatement(
                sql: """
                    INSERT INTO conair_reading (instant, value) VALUES (?, ?)
                    ON CONFLICT (instant) DO UPDATE SET value = excluded.value
                    """
            )
            for reading in readings {
                try insertion.execute(arguments: [reading.instant.microseconds, reading.value])
            }
            try database.execute(
                sql: """
                    DELETE FROM conair_reading WHERE instant <=
                    (SELECT instant FROM conair_reading ORDER BY instant DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [maximum]
            )
        }
    }

    /// Returns the readings in a time range, in order.
    func readings(in range: Range<ServerInstant>) async throws -> [Reading] {
        try await read { database in
            let selection = try database.cachedStatement(
                sql: "SELECT instant, value FROM conair_reading WHERE instant >= ? AND instant < ? ORDER BY instant"
            )
            let arguments: StatementArguments = [range.lowerBound.microseconds, range.upperBound.microseconds]
            var readings: [Reading] = []
            let rows = try Row.fetchCursor(selection, arguments: arguments)
            while let row = try rows.next() {
                readings.append(Reading(instant: ServerInstant(microseconds: row[0]), value: row[1]))
            }
            return readings
        }
    }

    func count() async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM conair_reading") ?? 0 }
    }
}
