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

    func user(_ id: Int64) throws -> AppNetUser? { try AppNetUser.fetchOne(database, where: "id = ?", [id]) }

    /// Returns a user by name, without regard to case.
    func user(name: String) throws -> AppNetUser? {
        try AppNetUser.fetchOne(database, where: "username = ?", [name.lowercased()])
    }

    /// Returns all users, sorted by id.
    func all() throws -> [AppNetUser] { try AppNetUser.fetchAll(database, where: "1 = 1 ORDER BY id") }

    /// Returns the id of the first user.
    func first() throws -> Int64? { try Int64.fetchOne(database, sql: "SELECT MIN(id) FROM appnet_user") }

    /// Stores a new user and sets its id. The previous id is ignored.
    @discardableResult
    func insert(_ user: AppNetUser) throws -> AppNetUser { try user.inserted(database) }

    func update(_ user: AppNetUser) throws { try user.update(database) }
}
