internal import GRDB
internal import HeliumServerKit

/// The table of tokens. The last revoked and expired tokens are kept, so that error responses can contain the reason.
struct AppNetTokenTable {
    /// The maximum number of tokens that are kept after their end.
    static let maximumEnded = 10_000

    private static let isEnded = "state <> 'active'"

    let database: Database

    func token(_ secret: String) throws -> AppNetToken? {
        try AppNetToken.fetchOne(database, where: "secret = ?", [secret])
    }

    func token(id: Int64) throws -> AppNetToken? { try AppNetToken.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the active tokens of an app's users, oldest first.
    func userTokens(of client: String) throws -> [AppNetToken] {
        try AppNetToken.fetchAll(
            database,
            where: "client = ? AND user IS NOT NULL AND state = 'active' ORDER BY id",
            [client]
        )
    }

    /// Returns whether an active token of one of an app's users meets a condition. Reads no more tokens than necessary.
    func hasUserToken(of client: String, where condition: (AppNetToken) throws -> Bool) throws -> Bool {
        try AppNetToken.filter(
            sql: "client = ? AND user IS NOT NULL AND state = 'active'",
            arguments: [client]
        ).fetchCursor(database).contains(where: condition)
    }

    /// Returns the active tokens of a user for an app; the app's own tokens if `user` is `nil`.
    func tokens(of user: Int64?, client: String) throws -> [AppNetToken] {
        try AppNetToken.fetchAll(
            database,
            where: "client = ? AND user IS ? AND state = 'active' ORDER BY id",
            [client, user]
        )
    }

    /// Returns the number of active tokens.
    func count() throws -> Int { try AppNetToken.fetchCount(database) - endedCount() }

    private func endedCount() throws -> Int { try AppNetToken.fetchCount(database, where: Self.isEnded, []) }

    /// Creates the index of the tokens that are not active, and deletes the app streams that such tokens left.
    static func addEndedIndex(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX appnet_token_ended ON appnet_token (id) WHERE state <> 'active';
                DELETE FROM appnet_stream WHERE token NOT IN (SELECT id FROM appnet_token WHERE state = 'active');
                """
        )
    }

    /// Stores a new token, whose id is 0, and sets its id.
    @discardableResult
    func insert(_ token: AppNetToken) throws -> AppNetToken { try token.inserted(database) }

    /// Returns whether a row has the secret, also if the row cannot be decoded.
    func isStored(_ secret: String) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM appnet_token WHERE secret = ?")
        return try Int64.fetchOne(statement, arguments: [secret]) != nil
    }

    /// Changes the state of a token. The app streams that it created are deleted with its end, and the oldest ended
    /// tokens if there are too many. This token is not one of them, because its end has yet to be told to streams, and
    /// neither are tokens of the configuration, because the next start would store them again as active ones.
    func setState(_ state: AppNetToken.State, of id: Int64, keeping maximum: Int = maximumEnded) throws {
        try AppNetToken.filter(key: id).updateAll(database, Column("state").set(to: state.rawValue))
        guard state != .active else { return }
        try AppStreamTable(database: database).deleteAll(of: id)
        let surplus = try endedCount() - maximum
        guard surplus > 0 else { return }
        try database.execute(
            sql: """
                DELETE FROM appnet_token WHERE id IN
                (SELECT id FROM appnet_token WHERE \(Self.isEnded) AND NOT is_initial AND id <> ? ORDER BY id LIMIT ?)
                """,
            arguments: [id, surplus]
        )
    }
}
