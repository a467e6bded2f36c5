internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A stored account: its login and profile (Docs/Protocols/Cosm.md §9).
struct UserRecord: Codable, Hashable, Sendable {
    let login: String
    /// The members of the account's document.
    @JSONText var profile: JSONObject

    static func new(_ login: String, key: String) -> Self {
        Self(login: login, profile: ["login": .string(login), "api_key": .string(key)])
    }
}

extension UserRecord {
    /// Returns an account with its login only, for a list in which the whole account has no room.
    static func abbreviated(_ login: String) -> Self { Self(login: login, profile: ["login": .string(login)]) }
}

extension UserRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "cosm_user"
}

/// The table of accounts.
struct UserTable {
    let database: Database

    func user(_ login: String) throws -> UserRecord? {
        try UserRecord.fetchOne(database, where: "login = ?", [login])
    }

    /// Returns the logins of all accounts in order, and the numbers of bytes of their profiles.
    func sizes() throws -> [(login: String, bytes: Int)] {
        let sql = "SELECT login, LENGTH(CAST(profile AS BLOB)) FROM cosm_user ORDER BY login"
        return try Row.fetchAll(database.cachedStatement(sql: sql)).map { ($0[0], $0[1]) }
    }

    func count() throws -> Int { try UserRecord.fetchCount(database) }

    func insert(_ user: UserRecord) throws { try user.insert(database) }

    func update(_ user: UserRecord) throws { try user.update(database) }

    func delete(_ login: String) throws { try UserRecord.deleteOne(database, key: login) }
}

/// The rules for logins and keys.
enum UserRules {
    static func isLogin(_ text: String) -> Bool {
        isName(text, length: 1...64)
    }

    /// Returns whether a text has a valid length and consists of letters, digits, `-` and `_`.
    static func isName(_ text: String, length: ClosedRange<Int>) -> Bool {
        length ~= text.utf8.count && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
    }
}
