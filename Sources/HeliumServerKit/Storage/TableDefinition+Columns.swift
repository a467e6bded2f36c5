package import GRDB

extension TableDefinition {
    /// Adds columns of one type that take `NULL`.
    package func columns(_ type: Database.ColumnType, _ names: String...) {
        for name in names { column(name, type) }
    }

    /// Adds columns of one type that must have a value.
    package func requiredColumns(_ type: Database.ColumnType, _ names: String...) {
        for name in names { column(name, type).notNull() }
    }
}
