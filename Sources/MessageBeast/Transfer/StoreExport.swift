internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Writes all data of a store that cannot be derived again to a file (``ExportFormat``).
struct StoreExport {
    /// The staged files; `nil` for a store in memory, which has none.
    let files: (any StagedBytes)?

    /// Writes the database snapshot of a read transaction. Only one row is in memory at a time.
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

    /// Writes a row, followed by the bytes of its file.
    ///
    /// - Returns: Whether the row is part of an export.
    func write(_ row: Row, of table: ExportTable, to writer: LineFileWriter) throws -> Bool {
        if table == .meta, let key = Self.text(row, "key"), ExportTable.ownFacts.contains(key) { return false }
        try writer.write(table.rawValue, RowDocument.object(row, of: table))
        guard table == .pendingFile, let id = Self.text(row, "id"), let name = Self.text(row, "staged_path"),
            try hasBytes(of: row, name)
        else { return true }
        // An engine that uploads the file may remove the bytes in the meantime.
        _ = try files?.forEachPiece(of: name, size: ExportFormat.stagedPiece) { piece in
            try writer.write(
                ExportFormat.stagedBytes,
                ["pending_file": .string(id), "base64": .string(piece.base64EncodedString())]
            )
        }
        return true
    }

    /// Returns whether a staged file has the bytes that its row describes.
    ///
    /// Others are not exported, because an import rejects them. A file without bytes is parked when its turn comes.
    private func hasBytes(of row: Row, _ name: String) throws -> Bool {
        guard let files else { return false }
        var digest = ContentDigest()
        guard try files.forEachPiece(of: name, size: ExportFormat.stagedPiece, { digest.add($0) }) else { return false }
        let content = digest.finalize()
        let byteCount = (row["byte_count"] as DatabaseValue?).flatMap(Int64.fromDatabaseValue)
        return byteCount == content.byteCount && Self.text(row, "sha256") == content.sha256
    }

    /// Returns a column's text; `nil` for another value. A damaged row may contain anything.
    private static func text(_ row: Row, _ column: String) -> String? {
        (row[column] as DatabaseValue?).flatMap(String.fromDatabaseValue)
    }

    /// Writes the first line.
    ///
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

    /// Returns the highest local id that was ever assigned. It is not reused after an import either.
    static func lastLocalID(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'message'") ?? 0
    }
}
