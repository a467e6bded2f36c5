package import GRDB

/// A protocol's single values by their names: keys, sequences.
package struct SettingTable {
    private let database: Database
    private let name: String

    /// - Parameter name: The table, with the columns `name` and `value`.
    package init(_ database: Database, name: String) {
        self.database = database
        self.name = name
    }

    package func value(_ setting: String) throws -> String? {
        let statement = try database.cachedStatement(sql: "SELECT value FROM \(name) WHERE name = ?")
        return try String.fetchOne(statement, arguments: [setting])
    }

    package func set(_ setting: String, _ value: String) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO \(name) (name, value) VALUES (:name, :value)")
            .execute(arguments: ["name": setting, "value": value])
    }

    /// The next number of a sequence that starts at `first`. Numbers are never given twice, even after a deletion.
    package func next(_ sequence: String, first: Int64 = 1) throws -> Int64 {
        let number = try value(sequence).flatMap { Int64($0) } ?? first
        try set(sequence, String(number + 1))
        return number
    }
}
