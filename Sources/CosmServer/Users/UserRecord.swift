internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// An account: its login and everything else that its owner said about it (§9).
struct UserRecord: Codable, Hashable, Sendable {
    let login: String
    /// The members of its document.
    @JSONText var profile: JSONObject

    static func new(_ login: String, key: String) -> Self {
        Self(login: login, profile: ["login": .string(login), "api_key": .string(key)])
    }
}

extension UserRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "cosm_user"
}

/// The stored accounts.
struct UserTable {
    let database: Database

    func user(_ login: String) throws -> UserRecord? {
        try UserRecord.fetchOne(database, where: "login = ?", [login])
    }

    /// All accounts by login.
    func users() throws -> [UserRecord] { try UserRecord.order(Column("login")).fetchAll(database) }

    func count() throws -> Int { try UserRecord.fetchCount(database) }

    func insert(_ user: UserRecord) throws { try user.insert(database) }

    func update(_ user: UserRecord) throws { try user.update(database) }

    func delete(_ login: String) throws { try UserRecord.deleteOne(database, key: login) }
}

/// The rules for logins.
enum UserRules {
    static func isLogin(_ text: String) -> Bool {
        isName(text, length: 1...64)
    }

    /// Letters, digits, `-` and `_`.
    static func isName(_ text: String, length: ClosedRange<Int>) -> Bool {
        length ~= text.utf8.count && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
    }
}
