internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The table of keys.
struct KeyTable {
    /// A row: the key as a document, and the columns to find it by.
    private struct Record: Codable, FetchableRecord, PersistableRecord {
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
            if let key = try? KeyDocument.read(document, secret: secret, owner: owner) { return key }
            database.reportUnreadable(UnreadableRows.Name(table: Self.databaseTableName, id: position))
            return nil
        }
    }

    let database: Database

    static let stored = StoredTable(Record.self) {
        (try? KeyDocument.read($0.document, secret: $0.secret, owner: $0.owner)) != nil
    }

    func key(_ secret: String) throws -> AccessKey? {
        try Record.fetchOne(database, where: "secret = ?", [secret])?.key(in: database)
    }

    /// Returns the keys of an account, oldest first.
    func keys(of owner: String) throws -> [AccessKey] {
        try Record.fetchAll(database, where: "owner = ? ORDER BY position", [owner]).compactMap { $0.key(in: database) }
    }

    func count() throws -> Int { try Record.fetchCount(database) }

    func insert(_ key: AccessKey) throws {
        let last = try Int64.fetchOne(database, Record.select(max(Column("position")))) ?? 0
        try Record(key, position: last + 1).insert(database)
    }

    func update(_ key: AccessKey) throws { try Record(key).update(database, columns: ["document"]) }

    func delete(_ secret: String) throws { try Record.deleteOne(database, key: secret) }

    func deleteAll(of owner: String) throws { try Record.delete(database, where: "owner = ?", [owner]) }
}
