package import GRDB

/// A record that declares each of its columns with the property that the column stores.
///
/// Use it for a record with nested parts. Use `Codable` for a flat record.
package protocol ColumnMappedRecord: FetchableRecord, EncodableRecord {
    /// A record without values. A row is read into a copy of it.
    static var blank: Self { get }
    static var columns: [RecordColumn<Self>] { get }
}

extension ColumnMappedRecord {
    /// - Throws: GRDB's error for a column that cannot be decoded.
    package init(row: Row) throws {
        self = .blank
        for column in Self.columns { try column.read(&self, row) }
    }

    package func encode(to container: inout PersistenceContainer) {
        for column in Self.columns { column.write(self, &container) }
    }
}

/// A column and the property that it stores.
package struct RecordColumn<Record>: Sendable {
    fileprivate let read: @Sendable (inout Record, Row) throws -> Void
    fileprivate let write: @Sendable (Record, inout PersistenceContainer) -> Void

    package init<Value: DatabaseValueConvertible & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<Record, Value> & Sendable
    ) {
        read = { record, row in record[keyPath: path] = try row.decode(Value.self, forColumn: name) }
        write = { record, container in container[name] = record[keyPath: path] }
    }
}
