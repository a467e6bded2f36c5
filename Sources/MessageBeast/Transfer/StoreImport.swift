internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Restores an export in an empty store, in the transaction of the caller.
///
/// An instance belongs to one import. If the import fails, ``abandon()`` removes the written files.
final class StoreImport {
    private let reader: LineFileReader
    private let configuration: MessageManagerConfiguration
    private let now: Milliseconds
    private let files: (any StagedBytes)?

    /// Whether the export was made of a damaged store. Its rows that are not usable are removed at the end.
    private var isSalvaged = false
    private var columns: [ExportTable: [ExportColumn]] = [:]
    private var counts: [ExportTable: Int] = [:]
    private var staged: WrittenFile?
    private var writtenFiles: [String] = []

    /// A staged file that is being written, and the size and the checksum that its row has.
    private final class WrittenFile {
        let id: String
        let writer: any StagedFileWriter
        var digest = ContentDigest()
        private let byteCount: Int64
        private let sha256: String

        init(id: String, writer: any StagedFileWriter, byteCount: Int64, sha256: String) {
            self.id = id
            self.writer = writer
            self.byteCount = byteCount
            self.sha256 = sha256
        }

        /// Returns whether the written bytes are those of the row. No more bytes can be added afterwards.
        func isWhole() -> Bool {
            let content = digest.finalize()
            return content.byteCount == byteCount && content.sha256 == sha256
        }
    }

    init(
        _ reader: LineFileReader,
        configuration: MessageManagerConfiguration,
        now: Milliseconds,
        files: (any StagedBytes)?
    ) {
        self.reader = reader
        self.configuration = configuration
        self.now = now
        self.files = files
    }

    /// Removes the written files.
    func abandon() {
        staged?.writer.abandon()
        staged = nil
        for name in writtenFiles { files?.remove(name) }
    }

    /// Reads the first line.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidImport``.
    static func header(of reader: LineFileReader) throws -> (account: String, lastLocalID: Int64, isSalvaged: Bool) {
        guard let line = try reader.next(),
            case .header(let account, let last, let isSalvaged)? = try? ImportLine(line)
        else { throw MessageBeastError(.invalidImport, "line 1 is not the beginning of an export of this version") }
        return (account, last, isSalvaged)
    }

    /// Restores all rows.
    ///
    /// - Returns: The number of rows of each table, and the number of rows left out: those that refer to missing rows,
    ///   and messages with the documents of other messages.
    func run(in database: Database) throws -> (rows: [ExportTable: Int], dropped: Int) {
        for table in StoreWipe.tables {
            guard try Int.fetchOne(database, sql: "SELECT 1 FROM \(table) LIMIT 1") == nil else {
                throw MessageBeastError(.notEmpty, "an import needs an empty store")
            }
        }
        let header = try Self.header(of: reader)
        let account = try MetaTable(database: database).value(.account)
        guard header.account.isEmpty || account?.hasSameBytes(as: header.account) == true else {
            throw MessageBeastError(.otherAccount, "the export is of another account")
        }
        isSalvaged = header.isSalvaged
        for table in ExportTable.allCases {
            columns[table] = try ExportColumn.columns(of: table, in: database)
        }
        // Rows may refer to later rows.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        try readRows(in: database)
        let completion = ImportCompletion(database: database, configuration: configuration, now: now)
        let dropped = try completion.complete(lastLocalID: header.lastLocalID, isSalvaged: isSalvaged)
        return (counts, dropped)
    }

    private func readRows(in database: Database) throws {
        while let bytes = try reader.next() {
            let isEnd: Bool
            do {
                isEnd = try read(ImportLine(bytes), in: database)
            } catch let fault as ImportLine.Fault {
                throw broken(fault.message)
            } catch let fault as RowDocument.Fault {
                throw broken("is broken: \(fault.message)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw broken("conflicts with another line or with the constraints of its table")
            }
            guard isEnd else { continue }
            guard try reader.next() == nil else { throw broken("follows the end") }
            return
        }
        throw MessageBeastError(.invalidImport, "the file ends after line \(reader.number), and is not complete")
    }

    private func broken(_ message: String) -> MessageBeastError {
        MessageBeastError(.invalidImport, "line \(reader.number) \(message)")
    }

    /// Reads a line.
    ///
    /// - Returns: Whether the line is the last.
    private func read(_ line: ImportLine, in database: Database) throws -> Bool {
        if case .stagedBytes(let file, let bytes) = line {
            try append(bytes, to: file, in: database)
            return false
        }
        try finishFile()
        switch line {
        case .row(let table, let object): try insert(object, into: table, in: database)
        case .end(let lines):
            guard lines == reader.number - 1 else {
                throw ImportLine.Fault(message: "has a wrong number of lines")
            }
            return true
        case .header: throw ImportLine.Fault(message: "is the beginning of another export")
        case .stagedBytes: break
        }
        return false
    }

    private func insert(_ object: JSONObject, into table: ExportTable, in database: Database) throws {
        let columns = columns[table] ?? []
        var values = try RowDocument.values(object, columns: columns)
        var names = columns.map(\.name)
        switch table {
        case .meta:
            if let key = object["key"]?.stringValue, ExportTable.ownFacts.contains(key) {
                throw ImportLine.Fault(message: "has metadata of another database")
            }
        case .message:
            names.append("text")
            values["text"] = Self.indexedText(values)
            if Self.isDraft(values),
                values["sort_key"].flatMap(Int64.fromDatabaseValue) ?? 0 < MessageTable.unsentSortKey
            {
                // Drafts are found by their keys.
                values["sort_key"] = MessageTable.unsentSortKey.databaseValue
            }
        case .pendingFile:
            guard let name = object["staged_path"]?.stringValue, StagedName.isValid(name) else {
                throw ImportLine.Fault(message: "does not name a file of the staging folder")
            }
        default: break
        }
        // One statement for each table, regardless of a line's members, because statements are cached.
        let placeholders = names.map { _ in "?" }.joined(separator: ", ")
        // The store may have fetched the service configuration itself.
        let conflict = table == .meta ? "ON CONFLICT (key) DO UPDATE SET value = excluded.value" : ""
        try database.cachedStatement(
            sql: "INSERT INTO \(table.rawValue) (\(names.joined(separator: ", "))) VALUES (\(placeholders)) \(conflict)"
        ).execute(arguments: StatementArguments(names.map { values[$0] ?? .null }))
        if table == .message, !isSalvaged, try Self.hasOtherDocument(database.lastInsertedRowID, in: database) {
            throw ImportLine.Fault(message: "has the document of another message")
        }
        counts[table, default: 0] += 1
    }

    private static func hasOtherDocument(_ message: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM message WHERE local_id = ? AND \(StoreCheck.hasOtherDocument)"
        )
        return try Int.fetchOne(statement, arguments: [message]) != nil
    }

    private static func isDraft(_ values: [String: DatabaseValue]) -> Bool {
        values["kind"].flatMap(String.fromDatabaseValue) == MessagePlus.State.draft.rawValue
    }

    /// Returns the index text of a message. Drafts and unreadable messages have none.
    private static func indexedText(_ values: [String: DatabaseValue]) -> DatabaseValue {
        guard let json = values["json"].flatMap(String.fromDatabaseValue),
            !isDraft(values),
            let text = (try? HeliumJSONDecoder().decode(Message.self, from: json))?.text
        else { return .null }
        return FoldedText.withoutNull(text).databaseValue
    }

    // MARK: Staged files

    private func append(_ bytes: Data, to file: String, in database: Database) throws {
        guard let files else { return }
        if staged?.id.hasSameBytes(as: file) != true {
            try finishFile()
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT staged_path, byte_count, sha256 FROM pending_file WHERE id = ?"),
                arguments: [file]
            )
            let name = row?[0] as String?
            guard let row, let name, !writtenFiles.contains(where: { $0.hasSameBytes(as: name) }) else {
                throw ImportLine.Fault(message: "does not belong to a file of a previous line")
            }
            writtenFiles.append(name)
            staged = WrittenFile(id: file, writer: try files.begin(name), byteCount: row[1], sha256: row[2])
        }
        guard let current = staged else { return }
        try current.writer.write(bytes)
        current.digest.add(bytes)
    }

    /// Ends the file whose bytes were in the lines before.
    ///
    /// - Throws: ``ImportLine/Fault`` if they are not the bytes that the row of the file describes.
    private func finishFile() throws {
        guard let file = staged else { return }
        guard file.isWhole() else {
            throw ImportLine.Fault(message: "follows bytes that are not those of their file")
        }
        try file.writer.finish()
        staged = nil
    }
}
