internal import GRDB

/// Single values that the store keeps: sequences.
struct AppNetSettingTable {
    let database: Database

    func value(_ name: String) throws -> String? {
        let statement = try database.cachedStatement(sql: "SELECT value FROM appnet_setting WHERE name = ?")
        return try String.fetchOne(statement, arguments: [name])
    }

    func set(_ name: String, _ value: String) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO appnet_setting (name, value) VALUES (?, ?)")
            .execute(arguments: [name, value])
    }

    /// The next number of a sequence that starts at 1.
    func next(_ sequence: String) throws -> Int64 {
        let number = try value(sequence).flatMap { Int64($0) } ?? 1
        try set(sequence, String(number + 1))
        return number
    }
}
