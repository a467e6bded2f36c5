internal import Foundation
internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored files, their contents, and the read tokens that objects grant.
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
            // The last column: a row is read up to what is asked for, and lists never ask for the bytes.
            table.requiredColumns(.blob, "bytes")
            table.primaryKey(["file", "key"])
        }
        try database.create(table: "appnet_file_grant", options: .strict) { table in
            table.primaryKey("token", .text)
            table.column("file", .integer).notNull().indexed()
        }
    }

    func file(_ id: Int64) throws -> FileRecord? { try FileRecord.fetchOne(database, where: "id = ?", [id]) }

    /// The file that is public, or was, under this name.
    func file(publicName: String) throws -> FileRecord? {
        try FileRecord.fetchOne(database, where: "public_name = ?", [publicName])
    }

    /// A user's files in a window of their ids.
    func files(of owner: Int64, _ window: PageWindow) throws -> [FileRecord] {
        try FileRecord.fetchAll(database, where: "owner = ?", [owner], window)
    }

    func count() throws -> Int { try FileRecord.fetchCount(database) }

    /// The bytes of all contents of a user's files, derived files included.
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

    /// Stores a new file, whose id is 0, and gives it its id.
    func insert(_ file: FileRecord) throws -> FileRecord { try file.inserted(database) }

    func update(_ file: FileRecord) throws { try file.update(database) }

    /// Deletes a file with its contents and read tokens.
    func delete(_ id: Int64) throws {
        try FileRecord.deleteOne(database, key: id)
        try FileContent.delete(database, where: "file = ?", [id])
        try Grant.delete(database, where: "file = ?", [id])
    }
}

// MARK: - Contents

extension FileTable {
    /// A content as it is written.
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

    /// The contents of a file without their bytes, its own content first.
    func contents(of file: Int64) throws -> [FileContent] {
        try FileContent.filter(Column("file") == file).order(Column("key")).fetchAll(database)
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
    /// A token that grants reading a file.
    private struct Grant: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_file_grant"

        let token: String
        let file: Int64
    }

    /// Grants reading to whoever has `token`.
    func grant(_ token: String, file: Int64) throws { try Grant(token: token, file: file).insert(database) }

    /// Takes back the read tokens that annotations granted, with which they go (§2.4).
    func revoke(grantsOf annotations: [JSONValue]) throws {
        for token in annotations.flatMap({ ReplacementValues.grants(in: $0["value"] ?? .null) }) {
            try Grant.deleteOne(database, key: token)
        }
    }

    /// Whether `token` grants reading `file`.
    func isGranted(_ token: String, file: Int64) throws -> Bool {
        try Grant.exists(database, where: "token = ? AND file = ?", [token, file])
    }

    /// The file that `token` grants reading; nil for a token that nobody was given.
    func file(grantedBy token: String) throws -> Int64? {
        try Grant.fetchOne(database, where: "token = ?", [token])?.file
    }
}
