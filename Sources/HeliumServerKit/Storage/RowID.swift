package import GRDB

/// The id of a record, which is its row id. A record that is not stored yet has the id 0. SQLite assigns its id when it
/// is inserted.
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
