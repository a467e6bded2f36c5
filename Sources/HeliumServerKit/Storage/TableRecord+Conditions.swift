package import GRDB

// Fetching by SQL conditions that are literals in the source. Each condition makes a statement that stays prepared, so
// values that change from call to call must be arguments.

extension TableRecord where Self: FetchableRecord {
    /// Returns the first row that meets a condition; `nil` if there is none, or if it cannot be decoded. The condition may
    /// end with an order.
    package static func fetchOne(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Self? {
        let rows = try Row.fetchCursor(statement(database, "SELECT *", condition), arguments: arguments)
        return try rows.next().flatMap { readable($0, in: database) }
    }

    /// Returns all rows that meet a condition and can be decoded. The condition may end with an order and a limit.
    package static func fetchAll(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments = []
    ) throws -> [Self] {
        try fetchReadable(database, statement(database, "SELECT *", condition), arguments)
    }
}

extension TableRecord {
    /// Returns the number of rows that meet a condition.
    package static func fetchCount(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Int {
        try Int.fetchOne(statement(database, "SELECT COUNT(*)", condition), arguments: arguments) ?? 0
    }

    /// Returns whether a row meets a condition.
    package static func exists(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> Bool {
        try Int.fetchOne(statement(database, "SELECT 1", condition), arguments: arguments) != nil
    }

    /// Deletes the rows that meet a condition.
    ///
    /// - Returns: Whether a row was deleted.
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
}
