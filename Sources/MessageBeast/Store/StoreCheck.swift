internal import GRDB

/// Checks a database, and rebuilds its indexes.
struct StoreCheck {
    let database: Database

    private static let externalIndexes = ["message_fts", "location_fts", "place_fts"]

    /// The problems of the database, one sentence each. Reads the whole database.
    func problems() throws -> [String] {
        var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let violations = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
        problems += violations.map { "a row of \($0[0] as String) refers to a missing row of \($0[2] as String)" }
        for index in Self.externalIndexes where try !isSound(index, comparing: 1) {
            problems.append("the full-text index \(index) does not match its table")
        }
        if try !isSound("message_cjk", comparing: 0) { problems.append("the full-text index message_cjk is damaged") }
        if let problem = try String.fetchOne(database, sql: "SELECT rtreecheck('location_rtree')"), problem != "ok" {
            problems.append("the index of places is damaged")
        }
        return problems
    }

    /// Builds the full-text indexes and the index of places from their tables.
    func rebuild() throws {
        for index in Self.externalIndexes {
            try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('rebuild')")
        }
        try database.execute(
            sql: """
                DELETE FROM location_rtree;
                INSERT INTO location_rtree SELECT local_id, latitude, latitude, longitude, longitude FROM location_instance;
                """
        )
    }

    private func isSound(_ index: String, comparing: Int) throws -> Bool {
        do {
            try database.execute(
                sql: "INSERT INTO \(index) (\(index), rank) VALUES ('integrity-check', ?)",
                arguments: [comparing]
            )
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }
}
