internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored users.
struct AppNetUserTable {
    let database: Database

    func user(_ id: Int64) throws -> AppNetUser? { try first("SELECT * FROM appnet_user WHERE id = ?", [id]) }

    /// A user by name, whatever its letter case.
    func user(name: String) throws -> AppNetUser? {
        try first("SELECT * FROM appnet_user WHERE username = ?", [name.lowercased()])
    }

    /// All users by id.
    func all() throws -> [AppNetUser] {
        try Row.fetchAll(database, sql: "SELECT * FROM appnet_user ORDER BY id").map(Self.user(row:))
    }

    /// Stores a new user, whatever its id says, and gives it its id.
    @discardableResult
    func insert(_ user: AppNetUser) throws -> AppNetUser {
        try database.execute(
            sql: """
                INSERT INTO appnet_user (username, password, name, type, created, timezone, locale, description,
                    annotations, avatar, cover) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: Self.arguments(user)
        )
        var user = user
        user.id = database.lastInsertedRowID
        return user
    }

    func update(_ user: AppNetUser) throws {
        try database.execute(
            sql: """
                UPDATE appnet_user SET username = ?, password = ?, name = ?, type = ?, created = ?, timezone = ?,
                    locale = ?, description = ?, annotations = ?, avatar = ?, cover = ? WHERE id = ?
                """,
            arguments: Self.arguments(user) + [user.id]
        )
    }

    private func first(_ sql: String, _ arguments: StatementArguments) throws -> AppNetUser? {
        try Row.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments).map(Self.user(row:))
    }

    private static func arguments(_ user: AppNetUser) -> StatementArguments {
        let description = user.description.map { JSONValue.object($0.members(html: false)).text() }
        return [
            user.username, user.password?.text, user.name, user.type, user.created, user.timezone, user.locale,
            description, JSONValue.array(user.annotations).text(), user.avatar, user.cover,
        ]
    }

    private static func user(row: Row) -> AppNetUser {
        AppNetUser(
            id: row["id"],
            username: row["username"],
            password: (row["password"] as String?).map(StoredPassword.init(stored:)),
            name: row["name"],
            type: row["type"],
            created: row["created"],
            timezone: row["timezone"],
            locale: row["locale"],
            description: (row["description"] as String?).flatMap(JSONValue.parse).map { stored in
                ProcessedText(
                    text: stored["text"]?.stringValue ?? "",
                    entities: AppNetEntities(stored: stored["entities"] ?? .null)
                )
            },
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? [],
            avatar: row["avatar"],
            cover: row["cover"]
        )
    }
}
