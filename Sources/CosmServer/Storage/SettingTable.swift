internal import GRDB

/// Single values that the store keeps: the master key and the id sequences.
struct SettingTable {
    let database: Database

    func value(_ name: String) throws -> String? {
        let statement = try database.cachedStatement(sql: "SELECT value FROM cosm_setting WHERE name = ?")
        return try String.fetchOne(statement, arguments: [name])
    }

    func set(_ name: String, _ value: String) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO cosm_setting (name, value) VALUES (?, ?)")
            .execute(arguments: [name, value])
    }

    /// The next number of a sequence that starts at `first`. Numbers are never given twice, even after a deletion.
    func next(_ sequence: String, first: Int) throws -> Int {
        let number = try value(sequence).flatMap { Int($0) } ?? first
        try set(sequence, String(number + 1))
        return number
    }
}
