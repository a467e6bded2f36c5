internal import GRDB
internal import HeliumJSON

/// The stored keys.
struct KeyTable {
    let database: Database

    func key(_ secret: String) throws -> AccessKey? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM cosm_key WHERE secret = ?")
        return try Row.fetchOne(statement, arguments: [secret]).map(Self.key(row:))
    }

    /// An account's keys, oldest first.
    func keys(of owner: String) throws -> [AccessKey] {
        let statement = try database.cachedStatement(sql: "SELECT * FROM cosm_key WHERE owner = ? ORDER BY position")
        return try Row.fetchAll(statement, arguments: [owner]).map(Self.key(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cosm_key") ?? 0 }

    func insert(_ key: AccessKey) throws {
        try database.execute(
            sql: """
                INSERT INTO cosm_key (secret, position, owner, document)
                VALUES (?, (SELECT IFNULL(MAX(position), 0) + 1 FROM cosm_key), ?, ?)
                """,
            arguments: [key.secret, key.owner, KeyDocument.json(key).text()]
        )
    }

    func update(_ key: AccessKey) throws {
        try database.execute(
            sql: "UPDATE cosm_key SET document = ? WHERE secret = ?",
            arguments: [KeyDocument.json(key).text(), key.secret]
        )
    }

    func delete(_ secret: String) throws {
        try database.execute(sql: "DELETE FROM cosm_key WHERE secret = ?", arguments: [secret])
    }

    func deleteAll(of owner: String) throws {
        try database.execute(sql: "DELETE FROM cosm_key WHERE owner = ?", arguments: [owner])
    }

    private static func key(row: Row) throws -> AccessKey {
        let document = try JSONValue(parsing: row["document"] as String)
        return try KeyDocument.read(document, secret: row["secret"], owner: row["owner"])
    }
}
