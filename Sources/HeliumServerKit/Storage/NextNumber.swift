package import GRDB

/// The error for a table or sequence that has used the greatest number.
package struct NumbersExhausted: Error, Hashable, CustomStringConvertible {
    /// The name of the table or sequence.
    package let name: String

    package var description: String { "no number is left for \(name)" }
}

extension Int64 {
    /// Returns the next number.
    ///
    /// - Throws: ``NumbersExhausted`` for the greatest one.
    func successor(in name: String) throws(NumbersExhausted) -> Int64 {
        guard self < .max else { throw NumbersExhausted(name: name) }
        return self + 1
    }
}

extension TableRecord {
    /// Returns the greatest number in a column; 0 if there are no rows, or only negative numbers. The column must be the
    /// primary key or have an index, so that the cost does not depend on the number of rows.
    package static func greatest(_ column: StaticString, _ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT MAX(\(column)) FROM \(databaseTableName)")
        return max(0, try DatabaseValue.fetchOne(statement).flatMap(Int64.fromDatabaseValue) ?? 0)
    }

    /// Returns the number after the greatest one in a column (``greatest(_:_:)``).
    ///
    /// - Throws: ``NumbersExhausted``, or the error of the store.
    package static func nextNumber(_ column: StaticString, _ database: Database) throws -> Int64 {
        try greatest(column, database).successor(in: databaseTableName)
    }

    /// Returns the greatest id that the table has assigned; 0 if it has not assigned one. Use it for tables with
    /// `AUTOINCREMENT`, whose ids are consecutive and never reused.
    ///
    /// It equals the number of rows if no row is ever deleted. Its cost does not depend on the number of rows.
    package static func lastID(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?")
        let assigned = try DatabaseValue.fetchOne(statement, arguments: [databaseTableName])
        // SQLite does not trust the table of sequences either, which every program can write.
        return try max(assigned.flatMap(Int64.fromDatabaseValue) ?? 0, greatest("rowid", database))
    }

    /// Returns the id of the next row that is inserted in this transaction, for a table as ``lastID(_:)`` describes.
    ///
    /// - Throws: ``NumbersExhausted``, or the error of the store.
    package static func nextID(_ database: Database) throws -> Int64 {
        try lastID(database).successor(in: databaseTableName)
    }
}
