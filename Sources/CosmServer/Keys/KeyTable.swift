internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The table of keys, to read (``KeyWriter`` changes it).
struct KeyTable {
    /// A row: the key as a document, and the columns to find it by.
    fileprivate struct Record: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "cosm_key"

        let secret: String
        /// Increases with every key.
        var position: Int64
        let owner: String
        @JSONText var document: JSONValue

        init(_ key: AccessKey, position: Int64 = 0) {
            secret = key.secret
            self.position = position
            owner = key.owner
            document = KeyDocument.json(key)
        }

        /// Returns the key; `nil` for a document that is not a valid key, which is reported.
        func key(in database: Database) -> AccessKey? {
            if let key = try? KeyDocument.stored(document, secret: secret, owner: owner) { return key }
            database.reportUnreadable(UnreadableRows.Name(table: Self.databaseTableName, id: position))
            return nil
        }
    }

    let database: Database

    static let stored = StoredTable(Record.self) {
        (try? KeyDocument.stored($0.document, secret: $0.secret, owner: $0.owner)) != nil
    }

    func key(_ secret: String) throws -> AccessKey? {
        try Record.fetchOne(database, where: "secret = ?", [secret])?.key(in: database)
    }

    /// Returns the positions of an account's keys, oldest first, and the numbers of bytes of their documents.
    func sizes(of owner: String) throws -> [(position: Int64, bytes: Int)] {
        let sql = "SELECT position, LENGTH(CAST(document AS BLOB)) FROM cosm_key WHERE owner = ? ORDER BY position"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [owner]).map { ($0[0], $0[1]) }
    }

    func key(at position: Int64) throws -> AccessKey? {
        try Record.fetchOne(database, where: "position = ?", [position])?.key(in: database)
    }

    /// Returns a key without its permissions, which are not decoded.
    func abbreviatedKey(at position: Int64) throws -> AccessKey? {
        let sql = """
            SELECT secret, position, owner, CASE WHEN json_valid(document)
            THEN json_remove(document, '$.permissions') ELSE document END AS document
            FROM cosm_key WHERE position = ?
            """
        return try Record.fetchReadable(database, database.cachedStatement(sql: sql), [position]).first?.key(
            in: database
        )
    }

    /// Returns the secrets of an account's keys.
    func secrets(of owner: String) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT secret FROM cosm_key WHERE owner = ?", arguments: [owner])
    }

    func count() throws -> Int { try Record.fetchCount(database) }

    /// Returns the number of those of an account.
    func count(of owner: String) throws -> Int { try Record.fetchCount(database, where: "owner = ?", [owner]) }
}

/// Changes the table of keys. It alone does, so that the cache never has a key that was changed or deleted.
struct KeyWriter {
    let database: Database
    let cache: KeyCache

    func insert(_ key: AccessKey) throws {
        cache.forget(key.secret, in: database)
        try KeyTable.Record(key, position: KeyTable.Record.nextNumber("position", database)).insert(database)
    }

    func update(_ key: AccessKey) throws {
        cache.forget(key.secret, in: database)
        try KeyTable.Record(key).update(database, columns: ["document"])
    }

    func delete(_ secret: String) throws {
        cache.forget(secret, in: database)
        try KeyTable.Record.deleteOne(database, key: secret)
    }

    func deleteAll(of owner: String) throws {
        for secret in try KeyTable(database: database).secrets(of: owner) { cache.forget(secret, in: database) }
        try KeyTable.Record.delete(database, where: "owner = ?", [owner])
    }
}
