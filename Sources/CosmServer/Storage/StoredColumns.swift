package import GRDB
package import HeliumServerKit

/// An instant is stored as its number of microseconds.
extension ServerInstant: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { microseconds.databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> ServerInstant? {
        Int64.fromDatabaseValue(value).map(ServerInstant.init(microseconds:))
    }
}

/// A column of tags in the form that ``TagList`` stores.
@propertyWrapper
struct TagLines: Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: [String]

    var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    var databaseValue: DatabaseValue { TagList.stored(wrappedValue).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> TagLines? {
        String.fromDatabaseValue(value).map { TagLines(wrappedValue: TagList.restored($0)) }
    }
}
