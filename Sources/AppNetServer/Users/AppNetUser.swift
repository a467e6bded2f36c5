internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A user as the store keeps it (§3.3).
struct AppNetUser: Hashable, Sendable {
    var id: Int64
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
    var annotations: [JSONValue] = []
    /// Rows of pictures; nil: the default ones.
    var avatar: Int64?
    var cover: Int64?
}

extension AppNetUser: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_user"

    enum Columns: String, ColumnExpression {
        case id, username, password, name, type, created, timezone, locale, description, annotations, avatar, cover
    }

    init(row: Row) throws {
        self.init(
            id: row[Columns.id],
            username: row[Columns.username],
            password: (row[Columns.password] as String?).map(StoredPassword.init(stored:)),
            name: row[Columns.name],
            type: row[Columns.type],
            created: row[Columns.created],
            timezone: row[Columns.timezone],
            locale: row[Columns.locale],
            description: (row[Columns.description] as JSONText<ProcessedText>?)?.wrappedValue,
            annotations: try row.json(Columns.annotations),
            avatar: row[Columns.avatar],
            cover: row[Columns.cover]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = RowID(wrappedValue: id)
        container[Columns.username] = username
        container[Columns.password] = password?.text
        container[Columns.name] = name
        container[Columns.type] = type
        container[Columns.created] = created
        container[Columns.timezone] = timezone
        container[Columns.locale] = locale
        container[Columns.description] = description.map { JSONText(wrappedValue: $0) }
        container[Columns.annotations] = JSONText(wrappedValue: annotations)
        container[Columns.avatar] = avatar
        container[Columns.cover] = cover
    }

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
