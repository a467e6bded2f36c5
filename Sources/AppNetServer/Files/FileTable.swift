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
            table.column("client", .text).notNull()
            table.column("kind", .text)
            table.column("type", .text).notNull()
            table.column("name", .text)
            table.column("is_complete", .integer).notNull()
            table.column("is_public", .integer).notNull()
            table.column("created", .integer).notNull()
            table.column("write_token", .text).notNull().unique()
            table.column("content_key", .text).notNull()
            table.column("public_name", .text).notNull().unique()
            table.column("annotations", .text).notNull()
        }
        try database.create(table: "appnet_file_content", options: .strict) { table in
            table.column("file", .integer).notNull()
            table.column("key", .text).notNull()
            table.column("name", .text)
            table.column("media_type", .text).notNull()
            table.column("size", .integer).notNull()
            table.column("sha1", .text).notNull()
            table.column("sha256", .text).notNull()
            table.column("width", .integer)
            table.column("height", .integer)
            // The last column: a row is read up to what is asked for, and lists never ask for the bytes.
            table.column("bytes", .blob).notNull()
            table.primaryKey(["file", "key"])
        }
        try database.create(table: "appnet_file_grant", options: .strict) { table in
            table.primaryKey("token", .text)
            table.column("file", .integer).notNull().indexed()
        }
    }

    func file(_ id: Int64) throws -> FileRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_file WHERE id = ?", arguments: [id])
            .map(Self.record(row:))
    }

    /// The file that is public, or was, under this name.
    func file(publicName: String) throws -> FileRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_file WHERE public_name = ?", arguments: [publicName])
            .map(Self.record(row:))
    }

    /// A user's files in a window of their ids.
    func files(of owner: Int64, _ window: PageWindow) throws -> [FileRecord] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_file WHERE owner = ?" + window.sql("id"),
            arguments: [owner]
        ).map(Self.record(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_file") ?? 0 }

    /// The bytes of all contents of a user's files.
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

    /// Stores a new file and gives its record.
    func insert(_ file: NewFile) throws -> FileRecord {
        try database.execute(
            sql: """
                INSERT INTO appnet_file (owner, client, kind, type, name, is_complete, is_public, created, write_token,
                content_key, public_name, annotations) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                file.owner, file.clientID, file.kind, file.type, file.name, file.isPublic, file.createdAt,
                file.writeToken, file.contentKey, ContentLink.publicName(file.contentKey),
                JSONValue.array(file.annotations).text(),
            ]
        )
        return FileRecord(
            id: database.lastInsertedRowID,
            owner: file.owner,
            clientID: file.clientID,
            kind: file.kind,
            type: file.type,
            name: file.name,
            isComplete: false,
            isPublic: file.isPublic,
            createdAt: file.createdAt,
            writeToken: file.writeToken,
            contentKey: file.contentKey,
            annotations: file.annotations
        )
    }

    /// Stores what of a file can change.
    func update(_ file: FileRecord) throws {
        try database.execute(
            sql: """
                UPDATE appnet_file SET kind = ?, name = ?, is_complete = ?, is_public = ?, annotations = ? WHERE id = ?
                """,
            arguments: [
                file.kind, file.name, file.isComplete, file.isPublic, JSONValue.array(file.annotations).text(), file.id,
            ]
        )
    }

    /// Deletes a file with its contents and read tokens.
    func delete(_ id: Int64) throws {
        for (table, column) in [("file", "id"), ("file_content", "file"), ("file_grant", "file")] {
            try database.execute(sql: "DELETE FROM appnet_\(table) WHERE \(column) = ?", arguments: [id])
        }
    }

    private static func record(row: Row) throws -> FileRecord {
        FileRecord(
            id: row["id"],
            owner: row["owner"],
            clientID: row["client"],
            kind: row["kind"],
            type: row["type"],
            name: row["name"],
            isComplete: row["is_complete"],
            isPublic: row["is_public"],
            createdAt: row["created"],
            writeToken: row["write_token"],
            contentKey: row["content_key"],
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? []
        )
    }
}

/// What a new file starts with; its id is the table's to give.
struct NewFile: Sendable {
    var owner: Int64
    var clientID: String
    var kind: String?
    var type: String
    var name: String?
    var isPublic: Bool
    var createdAt: Int64
    var writeToken: String
    var contentKey: String
    var annotations: [JSONValue] = []
}

extension NewFile: CustomStringConvertible, CustomReflectable {
    /// The type; never a token.
    var description: String { "a new file of type \(type)" }

    var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}

// MARK: - Contents

extension FileTable {
    /// What a file holds, the own content first, without the bytes.
    func contents(of file: Int64) throws -> [FileContent] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT key, name, media_type, size, sha1, sha256, width, height FROM appnet_file_content
                WHERE file = ? ORDER BY key
                """,
            arguments: [file]
        ).map { row in
            FileContent(
                key: row["key"],
                name: row["name"],
                mediaType: row["media_type"],
                size: row["size"],
                sha1: row["sha1"],
                sha256: row["sha256"],
                width: row["width"],
                height: row["height"]
            )
        }
    }

    func bytes(of file: Int64, key: String) throws -> [UInt8]? {
        try Data.fetchOne(
            database,
            sql: "SELECT bytes FROM appnet_file_content WHERE file = ? AND key = ?",
            arguments: [file, key]
        ).map { [UInt8]($0) }
    }

    func insert(_ content: FileContent, bytes: [UInt8], of file: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO appnet_file_content (file, key, name, media_type, size, sha1, sha256, width, height, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                file, content.key, content.name, content.mediaType, content.size, content.sha1, content.sha256,
                content.width, content.height, Data(bytes),
            ]
        )
    }
}

// MARK: - Read tokens

extension FileTable {
    /// Grants reading to whoever has `token`.
    func grant(_ token: String, file: Int64) throws {
        try database.execute(
            sql: "INSERT INTO appnet_file_grant (token, file) VALUES (?, ?)",
            arguments: [token, file]
        )
    }

    /// Takes back the read tokens that annotations granted, with which they go (§2.4).
    func revoke(grantsOf annotations: [JSONValue]) throws {
        for token in annotations.flatMap({ ReplacementValues.grants(in: $0["value"] ?? .null) }) {
            try database.execute(sql: "DELETE FROM appnet_file_grant WHERE token = ?", arguments: [token])
        }
    }

    /// Whether `token` grants reading `file`.
    func isGranted(_ token: String, file: Int64) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM appnet_file_grant WHERE token = ? AND file = ?)",
            arguments: [token, file]
        ) ?? false
    }

    /// The file that `token` grants reading; nil for a token that nobody was given.
    func file(grantedBy token: String) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT file FROM appnet_file_grant WHERE token = ?", arguments: [token])
    }
}
