internal import GRDB
internal import HeliumServerKit

/// The table of tokens. Revoked and expired tokens are kept, so that error responses can contain the reason.
struct AppNetTokenTable {
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

    /// Returns the active tokens of a user for an app; the app's own tokens if `user` is `nil`.
    func tokens(of user: Int64?, client: String) throws -> [AppNetToken] {
        try AppNetToken.fetchAll(
            database,
            where: "client = ? AND user IS ? AND state = 'active' ORDER BY id",
            [client, user]
        )
    }

    func count() throws -> Int { try AppNetToken.fetchCount(database) }

    /// Stores a new token, whose id is 0, and sets its id.
    @discardableResult
    func insert(_ token: AppNetToken) throws -> AppNetToken { try token.inserted(database) }

    func setState(_ state: AppNetToken.State, of id: Int64) throws {
        try AppNetToken.filter(key: id).updateAll(database, Column("state").set(to: state.rawValue))
    }
}
