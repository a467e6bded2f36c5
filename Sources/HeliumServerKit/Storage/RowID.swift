package import GRDB

/// The id of a record: the number of its row. A record that is not stored yet has 0, and gets its id from SQLite when it is
/// inserted.
@propertyWrapper
package struct RowID: Codable, Hashable, Sendable, DatabaseValueConvertible {
    package var wrappedValue: Int64

    package init(wrappedValue: Int64) { self.wrappedValue = wrappedValue }

    package var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    package var databaseValue: DatabaseValue { wrappedValue == 0 ? .null : wrappedValue.databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> RowID? {
        Int64.fromDatabaseValue(value).map(RowID.init)
    }
}
