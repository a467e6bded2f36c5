internal import GRDB

/// The codes of web flows, each good for one token (§1.3).
struct AuthorizationCodeTable {
    /// How long a code can be traded in, in seconds.
    static let lifetime: Int64 = 600
    /// The most codes that are kept; the oldest go first.
    static let maximumCodes = 10_000

    /// What a code stands for.
    struct Code: Hashable, Sendable {
        var client: String
        var user: Int64
        var scopes: Set<AppNetScope>
        var redirectURI: String
        var createdAt: Int64
        var isUsed = false
        /// The token that the code was traded in for.
        var token: Int64?
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_code", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("code", .text).notNull().unique()
            table.column("client", .text).notNull()
            table.column("user", .integer).notNull()
            table.column("scopes", .text).notNull()
            table.column("redirect_uri", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("is_used", .integer).notNull()
        }
        try database.create(table: "appnet_delegate_token", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("secret", .text).notNull().unique()
            table.column("client", .text).notNull()
            table.column("token", .integer).notNull()
        }
    }

    /// Which token came of a code: a second use of the code ends it.
    static func addTokens(_ database: Database) throws {
        try database.alter(table: "appnet_code") { $0.add(column: "token", .integer) }
    }

    func insert(_ secret: String, _ code: Code) throws {
        try database.execute(
            sql: """
                INSERT INTO appnet_code (code, client, user, scopes, redirect_uri, created, is_used)
                VALUES (?, ?, ?, ?, ?, ?, 0)
                """,
            arguments: [secret, code.client, code.user, code.scopes.list, code.redirectURI, code.createdAt]
        )
        try database.execute(
            sql: "DELETE FROM appnet_code WHERE number <= ?",
            arguments: [database.lastInsertedRowID - Int64(Self.maximumCodes)]
        )
    }

    func code(_ secret: String) throws -> Code? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_code WHERE code = ?", arguments: [secret]).map { row in
            Code(
                client: row["client"],
                user: row["user"],
                scopes: Set(list: row["scopes"]),
                redirectURI: row["redirect_uri"],
                createdAt: row["created"],
                isUsed: row["is_used"],
                token: row["token"]
            )
        }
    }

    func markUsed(_ secret: String, by token: Int64) throws {
        try database.execute(
            sql: "UPDATE appnet_code SET is_used = 1, token = ? WHERE code = ?",
            arguments: [token, secret]
        )
    }

    /// Keeps a token by which another service learns who a user is.
    func insertDelegate(_ secret: String, client: String, token: Int64) throws {
        try database.execute(
            sql: "INSERT INTO appnet_delegate_token (secret, client, token) VALUES (?, ?, ?)",
            arguments: [secret, client, token]
        )
        try database.execute(
            sql: "DELETE FROM appnet_delegate_token WHERE number <= ?",
            arguments: [database.lastInsertedRowID - Int64(Self.maximumCodes)]
        )
    }

    /// The token behind a delegate token that was made for `client`.
    func delegated(_ secret: String, client: String) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT token FROM appnet_delegate_token WHERE secret = ? AND client = ?",
            arguments: [secret, client]
        )
    }
}
