package import GRDB

// Fetching by conditions that are spelt in the source, as SQL. Each makes a statement that stays prepared, so what differs
// from call to call is an argument.

extension TableRecord where Self: FetchableRecord {
    /// The first row of a condition, which may end with an order.
    package static func fetchOne(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Self? {
        try fetchOne(statement(database, "SELECT *", condition), arguments: arguments)
    }

    /// All rows of a condition, which may end with an order and a limit.
    package static func fetchAll(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments = []
    ) throws -> [Self] {
        try fetchAll(statement(database, "SELECT *", condition), arguments: arguments)
    }
}

extension TableRecord {
    /// The number of rows of a condition.
    package static func fetchCount(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Int {
        try Int.fetchOne(statement(database, "SELECT COUNT(*)", condition), arguments: arguments) ?? 0
    }

    /// Whether a condition has a row.
    package static func exists(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Bool {
        try Int.fetchOne(statement(database, "SELECT 1", condition), arguments: arguments) != nil
    }

    /// Deletes the rows of a condition.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package static func delete(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Bool {
        try statement(database, "DELETE", condition).execute(arguments: arguments)
        return database.changesCount > 0
    }

    private static func statement(_ database: Database, _ verb: String, _ condition: String) throws -> Statement {
        try database.cachedStatement(sql: "\(verb) FROM \(databaseTableName) WHERE \(condition)")
    }

    /// The greatest id that the table has given; 0 if it has given none. For tables with `AUTOINCREMENT`, where ids follow
    /// each other and are never given twice.
    ///
    /// It is also the number of rows if none is ever deleted, and costs the same however many there are.
    package static func lastID(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?")
        return try Int64.fetchOne(statement, arguments: [databaseTableName]) ?? 0
    }
}
