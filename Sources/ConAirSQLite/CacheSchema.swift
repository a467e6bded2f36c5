internal import GRDB
internal import HeliumDatabase

/// The schema of a cache. A released migration never changes.
enum CacheSchema {
    /// The application id `HeCA` in ASCII, and the version.
    static let mark = DatabaseFile.Mark(applicationID: 0x4865_4341, version: 1)

    /// The bytes of the mark in the header of a file.
    static let markBytes = Array("HeCA".utf8)

    /// The names of the migrations, oldest first.
    static let migrations = ["conair-1"]

    /// Applies the missing migrations to a database, in one immediate transaction, because another process may do the
    /// same at the same time.
    ///
    /// - Throws: ``DatabaseFile/Fault/newer`` if the database has unknown migrations.
    static func migrate(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
            )
            let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
            guard applied.isSubset(of: migrations) else { throw DatabaseFile.Fault.newer }
            if applied.isEmpty {
                try database.execute(
                    sql: """
                        CREATE TABLE series (
                            id INTEGER PRIMARY KEY, source TEXT NOT NULL, step INTEGER NOT NULL, UNIQUE (source, step)
                        ) STRICT;
                        CREATE TABLE point (
                            series INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL,
                            PRIMARY KEY (series, time)
                        ) STRICT, WITHOUT ROWID;
                        INSERT INTO grdb_migrations (identifier) VALUES ('conair-1');
                        """
                )
            }
            return .commit
        }
    }

    /// Checks that no newer version migrated the database while it was open. Costs one small read.
    ///
    /// - Throws: ``DatabaseFile/Fault/newer``.
    static func check(_ database: Database) throws {
        let applied = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM grdb_migrations"))
        guard applied ?? 0 <= migrations.count else { throw DatabaseFile.Fault.newer }
    }

    /// Checks that the pages of a database are consistent.
    ///
    /// - Throws: `DatabaseError` of code `SQLITE_CORRUPT`.
    static func checkPages(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }
}
