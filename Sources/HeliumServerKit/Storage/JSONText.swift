package import GRDB
package import HeliumJSON

/// A value that is stored in a column as a JSON document.
package protocol JSONStorable: Sendable {
    /// Creates a value from a document that ``stored`` returned; `nil` for another kind of document.
    init?(stored: JSONValue)

    var stored: JSONValue { get }
}

/// A column that stores a JSON document as text.
///
/// ```swift
/// struct Record: Codable, FetchableRecord, PersistableRecord {
///     @JSONText var description: JSONValue
/// }
/// ```
@propertyWrapper
package struct JSONText<Value: JSONStorable>: Sendable, DatabaseValueConvertible {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The document as text.
    package var databaseValue: DatabaseValue { wrappedValue.stored.text().databaseValue }

    /// Returns the document of a column; `nil` if the text is not JSON, or is another kind of document.
    package static func fromDatabaseValue(_ value: DatabaseValue) -> JSONText? {
        String.fromDatabaseValue(value).flatMap(JSONValue.parse).flatMap(Value.init(stored:)).map(JSONText.init)
    }
}

extension JSONText: Equatable where Value: Equatable {}
extension JSONText: Hashable where Value: Hashable {}

/// Allows records to be `Codable`. GRDB uses ``databaseValue`` and ``fromDatabaseValue(_:)``.
extension JSONText: Codable where Value: Codable {}

extension Row {
    /// Returns the value of a column that stores a JSON document.
    package func json<Value: JSONStorable>(_ column: some ColumnExpression) throws -> Value {
        try decode(JSONText<Value>.self, forColumn: column.name).wrappedValue
    }
}

// MARK: - Values that can be stored

extension JSONValue: JSONStorable {
    package init?(stored: JSONValue) { self = stored }

    package var stored: JSONValue { self }
}

extension JSONObject: JSONStorable {
    package init?(stored: JSONValue) {
        guard let object = stored.objectValue else { return nil }
        self = object
    }

    package var stored: JSONValue { .object(self) }
}

extension String: JSONStorable {
    package init?(stored: JSONValue) {
        guard let text = stored.stringValue else { return nil }
        self = text
    }

    package var stored: JSONValue { .string(self) }
}

extension Int: JSONStorable {
    package init?(stored: JSONValue) {
        guard let number = stored.integerValue.flatMap({ Int(exactly: $0) }) else { return nil }
        self = number
    }

    package var stored: JSONValue { .count(self) }
}

/// Elements of another kind are ignored.
extension Array: JSONStorable where Element: JSONStorable {
    package init?(stored: JSONValue) {
        guard let elements = stored.arrayValue else { return nil }
        self = elements.compactMap(Element.init(stored:))
    }

    package var stored: JSONValue { .array(map(\.stored)) }
}
