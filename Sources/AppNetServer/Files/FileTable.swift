internal import Foundation
internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The tables of files, their contents, and the read tokens that objects grant.
struct FileTable {
    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_file", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("owner", .integer).notNull().indexed()
            table.requiredColumns(.text, "client")
            table.column("kind", .text)
            table.requiredColumns(.text, "type")
            table.column("name", .text)
            table.requiredColumns(.integer, "is_complete", "is_public", "created")
            table.column("write_token", .text).notNull().unique()
            table.requiredColumns(.text, "content_key")
            table.column("public_name", .text).notNull().unique()
            table.requiredColumns(.text, "annotations")
        }
        try database.create(table: "appnet_file_content", options: .strict) { table in
            table.requiredColumns(.integer, "file")
            table.requiredColumns(.text, "key")
            table.column("name", .text)
            table.requiredColumns(.text, "media_type")
            table.requiredColumns(.integer, "size")
            table.requiredColumns(.text, "sha1", "sha256")
            table.columns(.integer, "width", "height")
            // The last column. SQLite reads a row only up to the requested columns, and lists do not request the bytes.
            table.requiredColumns(.blob, "bytes")
            table.primaryKey(["file", "key"])
        }
        try database.create(table: "appnet_file_grant", options: .strict) { table in
            table.primaryKey("token", .text)
            table.column("file", .integer).notNull().indexed()
        }
    }

    func file(_ id: Int64) throws -> FileRecord? { try FileRecord.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the file that is, or was, public under this name.
    func file(publicName: String) throws -> FileRecord? {
        try FileRecord.fetchOne(database, where: "public_name = ?", [publicName])
    }

    /// Returns a user's files in a window of their ids.
    func files(of owner: Int64, _ window: PageWindow) throws -> [FileRecord] {
        try FileRecord.fetchAll(database, where: "owner = ?", [owner], window)
    }

    func count() throws -> Int { try FileRecord.fetchCount(database) }

    /// Returns the number of bytes of all contents of a user's files, including derived files.
    func usedBytes(of owner: Int64) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT COALESCE(SUM(size), 0) FROM appnet_file_content
                WHERE file IN (SELECT id FROM appnet_file WHERE owner = ?)
                """,
            arguments: [owner]
        ) ?? 0
    }

    /// Stores a new file, whose id is 0, and sets its id.
    func insert(_ file: FileRecord) throws -> FileRecord { try file.inserted(database) }

    func update(_ file: FileRecord) throws { try file.update(database) }

    /// Deletes a file. Its contents and read tokens cannot be reached any more (``RowRemoval``).
    ///
    /// - Parameter left: The number of rows that may be deleted in this transaction.
    func delete(_ id: Int64, _ left: inout Int) throws {
        try FileRecord.deleteOne(database, key: id)
        try RowRemoval(database: database).removeRows(ofFile: id, &left)
    }
}

// MARK: - Contents

extension FileTable {
    /// A row of the table of contents.
    private struct StoredContent: PersistableRecord {
        static let databaseTableName = FileContent.databaseTableName

        let file: Int64
        let content: FileContent
        let bytes: [UInt8]

        func encode(to container: inout PersistenceContainer) throws {
            container["file"] = file
            try content.encode(to: &container)
            container["bytes"] = Data(bytes)
        }
    }

    /// Returns the contents of a file without their bytes, the file's own content first.
    func contents(of file: Int64) throws -> [FileContent] {
        try FileContent.fetchReadable(
            database,
            FileContent.filter(Column("file") == file).order(Column("key"))
        )
    }

    func bytes(of file: Int64, key: String) throws -> [UInt8]? {
        try Data.fetchOne(
            database,
            sql: "SELECT bytes FROM appnet_file_content WHERE file = ? AND key = ?",
            arguments: [file, key]
        ).map { [UInt8]($0) }
    }

    func insert(_ content: FileContent, bytes: [UInt8], of file: Int64) throws {
        try StoredContent(file: file, content: content, bytes: bytes).insert(database)
    }
}

// MARK: - Read tokens

extension FileTable {
    /// A read token of a file.
    private struct Grant: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_file_grant"

        let token: String
        let file: Int64
    }

    /// Stores a read token of a file.
    func grant(_ token: String, file: Int64) throws { try Grant(token: token, file: file).insert(database) }

    /// Deletes the read tokens that annotations granted, when the annotations are deleted (Docs/Protocols/AppNet.md
    /// §2.4).
    func revoke(grantsOf annotations: [JSONValue]) throws {
        for token in annotations.flatMap({ ReplacementValues.grants(in: $0["value"] ?? .null) }) {
            try Grant.deleteOne(database, key: token)
        }
    }

    /// Returns whether `token` is a read token of `file`.
    func isGranted(_ token: String, file: Int64) throws -> Bool {
        try Grant.exists(database, where: "token = ? AND file = ?", [token, file])
    }

    /// Returns the file of a read token; `nil` for an unknown token.
    func file(grantedBy token: String) throws -> Int64? {
        try Grant.fetchOne(database, where: "token = ?", [token])?.file
    }
}
