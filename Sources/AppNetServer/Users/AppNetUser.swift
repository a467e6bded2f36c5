internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A user as the store keeps it (§3.3).
struct AppNetUser: Codable, Hashable, Sendable {
    @RowID var id: Int64
    /// Lower case.
    var username: String
    /// Nil where no password opens the account.
    var password: StoredPassword?
    var name: String
    var type: String
    var created: Int64
    var timezone: String
    var locale: String
    /// Nil for an empty profile.
    var description: ProcessedText?
    /// A list of annotations, one of each type.
    @JSONText var annotations: [JSONValue] = []
    /// Rows of pictures; nil: the default ones.
    var avatar: Int64?
    var cover: Int64?
}

extension AppNetUser: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_user"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The stored users.
struct AppNetUserTable {
    let database: Database

    func user(_ id: Int64) throws -> AppNetUser? { try AppNetUser.fetchOne(database, where: "id = ?", [id]) }

    /// A user by name, whatever its letter case.
    func user(name: String) throws -> AppNetUser? {
        try AppNetUser.fetchOne(database, where: "username = ?", [name.lowercased()])
    }

    /// All users by id.
    func all() throws -> [AppNetUser] { try AppNetUser.fetchAll(database, where: "1 = 1 ORDER BY id") }

    /// The id of the first user.
    func first() throws -> Int64? { try Int64.fetchOne(database, sql: "SELECT MIN(id) FROM appnet_user") }

    /// Stores a new user, whatever its id says, and gives it its id.
    @discardableResult
    func insert(_ user: AppNetUser) throws -> AppNetUser { try user.inserted(database) }

    func update(_ user: AppNetUser) throws { try user.update(database) }
}
