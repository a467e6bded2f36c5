package import GRDB
package import HeliumJSON

/// A column that holds a JSON document as text.
///
/// ```swift
/// struct Record: Codable, FetchableRecord, PersistableRecord {
///     @JSONText var description: JSONValue
/// }
/// ```
@propertyWrapper
package struct JSONText: Codable, Hashable, Sendable, DatabaseValueConvertible {
    package var wrappedValue: JSONValue

    package init(wrappedValue: JSONValue) { self.wrappedValue = wrappedValue }

    /// The document as text.
    package var databaseValue: DatabaseValue { wrappedValue.text().databaseValue }

    /// The document of a column; `nil` for text that is not JSON.
    package static func fromDatabaseValue(_ value: DatabaseValue) -> JSONText? {
        String.fromDatabaseValue(value).flatMap(JSONValue.parse).map(JSONText.init)
    }
}
