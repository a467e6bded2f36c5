internal import GRDB

/// Inserts rows with few statements, because executing a statement costs as much as a short row.
struct BatchInsertion: Sendable {
    private let columns: Int
    /// The statements by number of rows, highest first.
    private let statements: [(rows: Int, sql: String)]

    /// Creates the statements for rows of a table.
    ///
    /// - Parameter columns: The names of the columns that receive values.
    init(into table: String, _ columns: String...) {
        self.columns = columns.count
        let row = "(" + columns.map { _ in "?" }.joined(separator: ",") + ")"
        let beginning = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
        statements = [64, 16, 4, 1].map { count in
            (count, beginning + Array(repeating: row, count: count).joined(separator: ","))
        }
    }

    /// Inserts rows, given as consecutive values.
    func insert(_ values: [DatabaseValue], in database: Database) throws {
        var rest = values[...]
        for (rows, sql) in statements {
            while rest.count >= rows * columns {
                try database.cachedStatement(sql: sql)
                    .execute(arguments: StatementArguments(rest.prefix(rows * columns)))
                rest = rest.dropFirst(rows * columns)
            }
        }
    }
}

extension BatchInsertion {
    static let hashtags = Self(into: "hashtag_instance", "folded", "local_id", "name")
    static let annotations = Self(into: "annotation_instance", "type", "local_id", "count")
    static let locations = Self(
        into: "location_instance",
        "local_id",
        "name",
        "short_name",
        "factual_id",
        "latitude",
        "longitude",
        "source"
    )
}
