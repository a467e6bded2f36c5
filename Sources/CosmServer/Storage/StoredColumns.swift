package import GRDB
package import HeliumServerKit

/// An instant is stored as its microseconds.
extension ServerInstant: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { microseconds.databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> ServerInstant? {
        Int64.fromDatabaseValue(value).map(ServerInstant.init(microseconds:))
    }
}

/// A column of tags, as ``TagList`` stores them.
struct TagLines: DatabaseValueConvertible {
    let tags: [String]

    init(_ tags: [String]) { self.tags = tags }

    var databaseValue: DatabaseValue { TagList.stored(tags).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> TagLines? {
        String.fromDatabaseValue(value).map { TagLines(TagList.restored($0)) }
    }
}
