internal import Foundation
internal import GRDB

/// A database of the libraries that MessageBeast succeeds (Docs/Protocols/MessageBeast.md §2.1).
///
/// AATTMessageManager for iOS stores dates in seconds. The library for Android has other names for some columns and
/// stores dates in milliseconds.
///
/// Only content tables are read. The full-text index tables may not match them.
struct LegacyFile {
    let database: Database
    private let tables: [String: Set<String>]

    /// Reads the columns of the tables.
    ///
    /// - Throws: ``MessageBeastError/Kind/notADatabase`` for a database of another kind.
    init(_ database: Database) throws {
        self.database = database
        var tables: [String: Set<String>] = [:]
        for name in Self.tableNames {
            tables[name] = try String.fetchSet(
                database,
                sql: "SELECT name FROM pragma_table_info(?)",
                arguments: [name]
            )
        }
        self.tables = tables
        guard tables["messages"]?.contains("message_message_id") == true else {
            throw MessageBeastError(.notADatabase, "not a database of AATTMessageManager")
        }
    }

    private static let tableNames = [
        "messages", "places", "geolocations", "pending_message_deletions", "pending_files",
        "pending_file_attachments", "pending_file_deletions", "action_messages", "message_drafts",
    ]

    /// Returns the rows of a table.
    ///
    /// - Parameters:
    ///   - columns: The possible names of each column. A missing column is `NULL`.
    ///   - order: An expression that orders the rows.
    /// - Returns: `nil` if the table does not exist.
    func rows(of table: String, _ columns: [[String]], order: String = "rowid") throws -> RowCursor? {
        try selection(of: columns, from: table).map { try Row.fetchCursor(database, sql: "\($0) ORDER BY \(order)") }
    }

    /// Returns the first row that satisfies a condition with one argument; `nil` if there is none.
    func row(of table: String, _ columns: [[String]], where condition: String, _ argument: String) throws -> Row? {
        try selection(of: columns, from: table).flatMap {
            try Row.fetchOne(database, sql: "\($0) WHERE \(condition)", arguments: [argument])
        }
    }

    private func selection(of columns: [[String]], from table: String) -> String? {
        guard let present = tables[table], !present.isEmpty else { return nil }
        let selected = columns.map { names in names.first { present.contains($0) } ?? "NULL" }
        return "SELECT \(selected.joined(separator: ", ")) FROM \(table)"
    }

    /// Returns a text; `nil` for other values and for a text that SQLite truncated.
    static func text(_ row: Row, _ index: Int) -> String? {
        let value: DatabaseValue = row[index]
        switch value.storage {
        case .string(let text): return text.utf8.contains(0) ? nil : text
        case .int64(let number): return String(number)
        case .null, .double, .blob: return nil
        }
    }

    static func number(_ row: Row, _ index: Int) -> Double? {
        let value: DatabaseValue = row[index]
        return switch value.storage {
        case .int64(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        case .null, .blob: nil
        }
    }

    static func flag(_ row: Row, _ index: Int) -> Bool { (number(row, index) ?? 0) != 0 }

    /// Returns a date from seconds or milliseconds. As seconds, the millisecond values would be in the year 5138 or
    /// later.
    static func date(_ row: Row, _ index: Int) -> Milliseconds? {
        number(row, index).map { value in
            let seconds = value > 1e11 ? value / 1000 : value
            return Milliseconds(Date(timeIntervalSince1970: seconds))
        }
    }

    /// Returns the path of a file that a row names; `nil` if it is not in the file system.
    static func path(_ text: String) -> String? {
        if text.hasPrefix("/") { return text }
        guard let url = URL(string: text), url.isFileURL else { return nil }
        return url.path
    }
}
