package import GRDB

extension TableDefinition {
    /// Adds nullable columns of one type.
    package func columns(_ type: Database.ColumnType, _ names: String...) {
        for name in names { column(name, type) }
    }

    /// Adds columns of one type that are not nullable.
    package func requiredColumns(_ type: Database.ColumnType, _ names: String...) {
        for name in names { column(name, type).notNull() }
    }
}
