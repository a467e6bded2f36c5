internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Writes everything of a store that cannot be derived again to a file (``ExportFormat``).
struct StoreExport {
    /// The staged files; `nil` for a store in memory, which has none.
    let files: (any StagedBytes)?

    /// Writes the snapshot of the database that a transaction reads. One row is in memory at a time.
    ///
    /// - Returns: The number of rows of each table.
    func run(in database: Database, to writer: LineFileWriter) throws -> [ExportTable: Int] {
        let account = try MetaTable(database: database).value(.account) ?? ""
        try Self.writeHeader(account: account, lastLocalID: Self.lastLocalID(in: database), to: writer)
        var counts: [ExportTable: Int] = [:]
        for table in ExportTable.allCases {
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT * FROM \(table.rawValue) ORDER BY \(table.key.joined(separator: ", "))"
            )
            while let row = try rows.next() {
                if try write(row, of: table, to: writer) { counts[table, default: 0] += 1 }
            }
        }
        try Self.writeEnd(to: writer)
        return counts
    }

    /// Writes a row, and the bytes of its file after it.
    ///
    /// - Returns: Whether the row belongs to an export.
    func write(_ row: Row, of table: ExportTable, to writer: LineFileWriter) throws -> Bool {
        if table == .meta, let key = Self.text(row, "key"), ExportTable.ownFacts.contains(key) { return false }
        try writer.write(table.rawValue, RowDocument.object(row, of: table))
        guard table == .pendingFile, let id = Self.text(row, "id"), let name = Self.text(row, "staged_path") else {
            return true
        }
        // An engine that uploads the file meanwhile may remove the bytes.
        _ = try files?.forEachPiece(of: name, size: ExportFormat.stagedPiece) { piece in
            try writer.write(
                ExportFormat.stagedBytes,
                ["pending_file": .string(id), "base64": .string(piece.base64EncodedString())]
            )
        }
        return true
    }

    /// A column's text; `nil` if it has none. A damaged row may have anything.
    private static func text(_ row: Row, _ column: String) -> String? {
        (row[column] as DatabaseValue?).flatMap(String.fromDatabaseValue)
    }

    /// - Parameter isSalvaged: Whether rows may be missing.
    static func writeHeader(
        account: String,
        lastLocalID: Int64,
        isSalvaged: Bool = false,
        to writer: LineFileWriter
    ) throws {
        var header: JSONObject = [
            "version": .number(JSONNumber(ExportFormat.version)), "account": .string(account),
            "last_local_id": .number(JSONNumber(lastLocalID)),
        ]
        if isSalvaged { header["is_salvaged"] = .bool(true) }
        try writer.write(ExportFormat.header, header)
    }

    static func writeEnd(to writer: LineFileWriter) throws {
        try writer.write(ExportFormat.end, ["lines": .number(JSONNumber(writer.lines))])
    }

    /// The highest local id that was ever given: it is not given again after an import either.
    static func lastLocalID(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'") ?? 0
    }
}
