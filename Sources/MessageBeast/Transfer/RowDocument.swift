internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Converts rows of tables to and from JSON objects.
enum RowDocument {
    /// Returns the document of a row. Columns without a value are left out.
    static func object(_ row: Row, of table: ExportTable) -> JSONObject {
        var members: [(String, JSONValue)] = []
        for (column, value) in row where !table.omits(column) {
            switch value.storage {
            case .null: continue
            case .int64(let number): members.append((column, .number(JSONNumber(number))))
            case .double(let number): members.append((column, JSONNumber(number).map(JSONValue.number) ?? .null))
            case .string(let text):
                members.append((column, ExportTable.holdsJSON(column) ? embedded(text) : .string(text)))
            // The schema has no such columns, but a damaged row may contain one.
            case .blob(let data): members.append((column, .string(String(decoding: data, as: UTF8.self))))
            }
        }
        return JSONObject(members)
    }

    /// Embeds a document as JSON, so that the line is readable. A text that would not round-trip is written as a
    /// string.
    private static func embedded(_ text: String) -> JSONValue {
        guard let value = try? JSONValue(parsing: text), value.objectValue != nil, value.text().hasSameBytes(as: text)
        else { return .string(text) }
        return value
    }

    /// The reason why a document is not a row of a table.
    struct Fault: Error {
        let message: String
    }

    /// Returns the values of a row. A missing column gets its default, because exports of earlier schemas have fewer
    /// columns.
    ///
    /// - Throws: ``Fault``.
    static func values(_ object: JSONObject, columns: [ExportColumn]) throws -> [String: DatabaseValue] {
        var values: [String: DatabaseValue] = [:]
        for column in columns { values[column.name] = column.defaultValue }
        for (name, value) in object {
            guard let column = columns.first(where: { $0.name.hasSameBytes(as: name) }) else {
                throw Fault(message: "the row has an unknown column")
            }
            values[column.name] = try self.value(value, of: column)
        }
        return values
    }

    private static func value(_ value: JSONValue, of column: ExportColumn) throws -> DatabaseValue {
        switch (column.type, value) {
        case (_, .null): return .null
        case (.integer, .number(let number)):
            if let integer = Int64(exactly: number), column.range.contains(integer) { return integer.databaseValue }
        case (.real, .number(let number)):
            if let double = number.doubleValue, double.isFinite { return double.databaseValue }
        case (.text, .string(let text)):
            // SQLite ends a text at U+0000.
            if ExportTable.holdsJSON(column.name) || !text.utf8.contains(0) { return text.databaseValue }
        case (.text, .object):
            if ExportTable.holdsJSON(column.name) { return value.text().databaseValue }
        default: break
        }
        throw Fault(message: "the column \(column.name) has an invalid value")
    }
}

/// A column of an imported table.
struct ExportColumn: Sendable {
    enum Kind: Sendable {
        case integer
        case real
        case text
    }

    let name: String
    let type: Kind
    /// The schema's default value: a number, or null.
    let defaultValue: DatabaseValue

    /// The numbers that a column may contain. The engine continues to count from them.
    let range: ClosedRange<Int64>

    /// Returns the columns that a line of a table may have.
    static func columns(of table: ExportTable, in database: Database) throws -> [Self] {
        try Row.fetchAll(
            database,
            sql: "SELECT name, type, dflt_value FROM pragma_table_info(?) ORDER BY cid",
            arguments: [table.rawValue]
        )
        .map { row in
            let type: Kind =
                switch row[1] as String {
                case "INTEGER": .integer
                case "REAL": .real
                default: .text
                }
            let number = (row[2] as String?).flatMap { Int64($0) }
            return Self(
                name: row[0],
                type: type,
                defaultValue: number?.databaseValue ?? .null,
                range: range(of: row[0], in: table)
            )
        }
        .filter { !table.omits($0.name) }
    }

    private static func range(of column: String, in table: ExportTable) -> ClosedRange<Int64> {
        let counter: Int64 = 1 << 53
        guard column == "sort_key" else { return -counter...counter }
        // The keys of unsent messages are above those of all others, and those of the places in them are below.
        return (table == .place ? .min : 0)...((1 << 62) + counter)
    }
}
