internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A user in its stored form (Docs/Protocols/AppNet.md §3.3).
struct AppNetUser: Codable, Hashable, Sendable {
    @RowID var id: Int64
    /// The user name in lower case.
    var username: String
    /// The password; `nil` if the user cannot sign in with a password.
    var password: StoredPassword?
    var name: String
    var type: String
    var created: Int64
    var timezone: String
    var locale: String
    /// The profile text; `nil` if it is empty.
    var description: ProcessedText?
    /// The annotations, at most one of each type.
    @JSONText var annotations: [JSONValue] = []
    /// The row ids of pictures; `nil` for the default pictures.
    var avatar: Int64?
    var cover: Int64?
}

extension AppNetUser: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_user"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The table of users.
struct AppNetUserTable {
    let database: Database

    func user(_ id: Int64) throws -> AppNetUser? { try users(where: "id = ?", [id]).first }

    /// Returns a user by name, without regard to case.
    func user(name: String) throws -> AppNetUser? { try users(where: "username = ?", [name.lowercased()]).first }

    /// Returns an id if there is a user with it. The row is not decoded.
    func id(_ id: Int64) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT id FROM appnet_user WHERE id = ?"), arguments: [id])
    }

    /// Returns the id of the user with a name, without regard to case. The row is not decoded.
    func id(name: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM appnet_user WHERE username = ?"),
            arguments: [name.lowercased()]
        )
    }

    /// Returns whether a user is a bot. The row is not decoded.
    func isBot(_ id: Int64) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT type = 'bot' FROM appnet_user WHERE id = ?")
        return try Bool.fetchOne(statement, arguments: [id]) ?? false
    }

    /// Returns all users, sorted by id.
    func all() throws -> [AppNetUser] { try users(where: "1 = 1 ORDER BY id") }

    /// The columns that are replaced in a row that cannot be decoded, in the order of the attempts. A profile text that an
    /// older version stored and cannot read must not make its user disappear: the user can write a new one.
    private static let repairs = [
        "NULL AS description", "'[]' AS annotations", "NULL AS description, '[]' AS annotations",
    ]

    private func users(where condition: String, _ arguments: StatementArguments = []) throws -> [AppNetUser] {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_user WHERE \(condition)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var users: [AppNetUser] = []
        while let row = try rows.next() {
            let user = try AppNetUser.readable(row, in: database) ?? repaired(row["id"])
            if let user { users.append(user) }
        }
        return users
    }

    private func repaired(_ id: Int64) throws -> AppNetUser? {
        // The first of two columns with the same name is decoded.
        try Self.repairs.firstValue { columns in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT \(columns), * FROM appnet_user WHERE id = ?",
                arguments: [id]
            )
            return row.flatMap { try? AppNetUser(row: $0) }
        }
    }

    /// Returns the id of the first user.
    func first() throws -> Int64? { try Int64.fetchOne(database, sql: "SELECT MIN(id) FROM appnet_user") }

    /// Stores a new user and sets its id. The previous id is ignored.
    @discardableResult
    func insert(_ user: AppNetUser) throws -> AppNetUser { try user.inserted(database) }

    func update(_ user: AppNetUser) throws { try user.update(database) }

    /// Sets the password of the user with a name, and returns the user's id; `nil` if there is no such user. The row is
    /// not decoded.
    func setPassword(_ password: StoredPassword?, name: String) throws -> Int64? {
        try database.cachedStatement(sql: "UPDATE appnet_user SET password = ? WHERE username = ?")
            .execute(arguments: [password, name.lowercased()])
        return try id(name: name)
    }
}
