internal import GRDB

/// The stored tokens. Those that died stay, so that their refusals can say why.
struct AppNetTokenTable {
    let database: Database

    func token(_ secret: String) throws -> AppNetToken? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_token WHERE secret = ?")
        return try Row.fetchOne(statement, arguments: [secret]).map(Self.token(row:))
    }

    func token(id: Int64) throws -> AppNetToken? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_token WHERE id = ?", arguments: [id])
            .map(Self.token(row:))
    }

    /// The living tokens of an app's users, oldest first.
    func userTokens(of client: String) throws -> [AppNetToken] {
        let sql = """
            SELECT * FROM appnet_token WHERE client = ? AND user IS NOT NULL AND state = 'active' ORDER BY id
            """
        return try Row.fetchAll(database, sql: sql, arguments: [client]).map(Self.token(row:))
    }

    /// The living tokens of one user for one app; nil for the app's own tokens.
    func tokens(of user: Int64?, client: String) throws -> [AppNetToken] {
        let sql = "SELECT * FROM appnet_token WHERE client = ? AND user IS ? AND state = 'active' ORDER BY id"
        return try Row.fetchAll(database, sql: sql, arguments: [client, user]).map(Self.token(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_token") ?? 0 }

    /// Stores a new token, whatever its id says, and gives it its id.
    @discardableResult
    func insert(_ token: AppNetToken) throws -> AppNetToken {
        try database.execute(
            sql: """
                INSERT INTO appnet_token (secret, user, client, scopes, created, state, is_initial)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.secret, token.user, token.client, token.scopes.list, token.created, token.state.rawValue,
                token.isInitial,
            ]
        )
        var token = token
        token.id = database.lastInsertedRowID
        return token
    }

    func setState(_ state: AppNetToken.State, of id: Int64) throws {
        try database.execute(
            sql: "UPDATE appnet_token SET state = ? WHERE id = ?",
            arguments: [state.rawValue, id]
        )
    }

    private static func token(row: Row) -> AppNetToken {
        AppNetToken(
            id: row["id"],
            secret: row["secret"],
            user: row["user"],
            client: row["client"],
            scopes: Set(list: row["scopes"]),
            created: row["created"],
            state: AppNetToken.State(rawValue: row["state"]) ?? .revoked,
            isInitial: row["is_initial"]
        )
    }
}
