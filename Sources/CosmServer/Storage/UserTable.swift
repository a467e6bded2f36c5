internal import GRDB
internal import HeliumJSON

/// The stored accounts.
struct UserTable {
    let database: Database

    func user(_ login: String) throws -> UserRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM cosm_user WHERE login = ?", arguments: [login])
            .map(Self.user(row:))
    }

    /// All accounts by login.
    func users() throws -> [UserRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM cosm_user ORDER BY login").map(Self.user(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cosm_user") ?? 0 }

    func insert(_ user: UserRecord) throws {
        try database.execute(
            sql: "INSERT INTO cosm_user (login, profile) VALUES (?, ?)",
            arguments: [user.login, JSONValue.object(user.profile).text()]
        )
    }

    func update(_ user: UserRecord) throws {
        try database.execute(
            sql: "UPDATE cosm_user SET profile = ? WHERE login = ?",
            arguments: [JSONValue.object(user.profile).text(), user.login]
        )
    }

    func delete(_ login: String) throws {
        try database.execute(sql: "DELETE FROM cosm_user WHERE login = ?", arguments: [login])
    }

    private static func user(row: Row) throws -> UserRecord {
        UserRecord(login: row["login"], profile: try JSONValue(parsing: row["profile"] as String).objectValue ?? [:])
    }
}
