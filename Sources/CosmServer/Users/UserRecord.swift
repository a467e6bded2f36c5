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
    ///
    /// - Parameter check: Gets the number of bytes of each account, and throws if there are too many.
    func users(checking check: (Int) throws -> Void) throws -> [UserRecord] {
        var users: [UserRecord] = []
        let rows = try Row.fetchCursor(database, UserRecord.order(Column("login")))
        while let row = try rows.next() {
            guard let user = UserRecord.readable(row, in: database) else { continue }
            try check(user.profile.reduce(0) { $0 + AnswerSize.of($1.value.description) + 100 })
            users.append(user)
        }
        return users
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
