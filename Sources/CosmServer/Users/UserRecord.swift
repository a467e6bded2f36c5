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

extension UserRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "cosm_user"
}

/// The table of accounts.
struct UserTable {
    let database: Database

    func user(_ login: String) throws -> UserRecord? {
        try UserRecord.fetchOne(database, where: "login = ?", [login])
    }

    /// Returns all accounts ordered by login.
    func users() throws -> [UserRecord] {
        try UserRecord.fetchReadable(database, UserRecord.order(Column("login")))
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
