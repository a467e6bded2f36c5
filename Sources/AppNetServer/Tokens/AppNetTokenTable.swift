internal import GRDB
internal import HeliumServerKit

/// The stored tokens. Those that died stay, so that their refusals can say why.
struct AppNetTokenTable {
    let database: Database

    func token(_ secret: String) throws -> AppNetToken? {
        try AppNetToken.fetchOne(database, where: "secret = ?", [secret])
    }

    func token(id: Int64) throws -> AppNetToken? { try AppNetToken.fetchOne(database, where: "id = ?", [id]) }

    /// The living tokens of an app's users, oldest first.
    func userTokens(of client: String) throws -> [AppNetToken] {
        try AppNetToken.fetchAll(
            database,
            where: "client = ? AND user IS NOT NULL AND state = 'active' ORDER BY id",
            [client]
        )
    }

    /// The living tokens of one user for one app; nil for the app's own tokens.
    func tokens(of user: Int64?, client: String) throws -> [AppNetToken] {
        try AppNetToken.fetchAll(
            database,
            where: "client = ? AND user IS ? AND state = 'active' ORDER BY id",
            [client, user]
        )
    }

    func count() throws -> Int { try AppNetToken.fetchCount(database) }

    /// Stores a new token, whose id is 0, and gives it its id.
    @discardableResult
    func insert(_ token: AppNetToken) throws -> AppNetToken { try token.inserted(database) }

    func setState(_ state: AppNetToken.State, of id: Int64) throws {
        try AppNetToken.filter(key: id).updateAll(database, Column("state").set(to: state.rawValue))
    }
}
