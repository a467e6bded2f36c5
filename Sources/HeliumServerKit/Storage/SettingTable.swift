package import GRDB

/// A table of a protocol's single values, such as keys and sequences, by name.
package struct SettingTable {
    private let database: Database
    private let name: String

    /// - Parameter name: The name of the table, which has the columns `name` and `value`.
    package init(_ database: Database, name: String) {
        self.database = database
        self.name = name
    }

    /// Returns the value of a setting; `nil` if there is none, or if it cannot be read.
    package func value(_ setting: String) throws -> String? {
        let statement = try database.cachedStatement(sql: "SELECT value FROM \(name) WHERE name = ?")
        return try DatabaseValue.fetchOne(statement, arguments: [setting]).flatMap(String.fromDatabaseValue)
    }

    package func set(_ setting: String, _ value: String) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO \(name) (name, value) VALUES (:name, :value)")
            .execute(arguments: ["name": setting, "value": value])
    }

    /// Returns the next number of a sequence that starts at `first`. Numbers are not reused, even after a deletion.
    ///
    /// The setting can be lost or damaged, and then it must not select a number that an object has. A setting that is
    /// not a number of the sequence is ignored.
    ///
    /// - Parameter used: The greatest number in use; 0 if none is.
    /// - Throws: ``NumbersExhausted`` if there is no such number below `Int64.max - 1`.
    package func next(_ sequence: String, first: Int64 = 1, above used: Int64) throws -> Int64 {
        let stored = try value(sequence).flatMap { Int64($0) } ?? first
        let next = try max(first, stored == .max ? first : stored, used.successor(in: sequence))
        // The setting never becomes the greatest number, which would count as damage and start the sequence again.
        guard next < .max - 1 else { throw NumbersExhausted(name: sequence) }
        try set(sequence, String(next + 1))
        return next
    }
}
