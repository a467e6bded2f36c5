internal import GRDB
internal import HeliumCore
internal import HeliumServerKit

/// The credentials in the ready line: those of the configuration, and the random ones of a new store.
struct AppNetCredentials: Sendable {
    var users: [(username: String, token: String)] = []
    var appToken = ""
    var clientID = ""
    var clientSecret = ""

    /// Adds the accounts that are missing in the store, and returns the credentials.
    static func prepare(
        _ accounts: AppNetAccounts,
        database: Database,
        random: RandomSource,
        now: Int64
    ) throws -> Self {
        var credentials = Self()
        let writer = AccountWriter(database: database, random: random, now: now)
        for (index, app) in accounts.apps.enumerated() {
            let stored = try writer.save(app)
            let token = try writer.token(app.tokens, user: nil, client: stored.clientID, scopes: [])
            guard index == 0 else { continue }
            credentials.clientID = stored.clientID
            credentials.clientSecret = stored.clientSecret
            credentials.appToken = token
        }
        for account in accounts.users {
            let user = try writer.save(account)
            let scopes = account.scopes.map { Set(list: $0.joined(separator: ",")) } ?? .all
            let client = credentials.clientID
            let token = try writer.token(account.tokens, user: user, client: client, scopes: scopes)
            credentials.users.append((account.name.lowercased(), token))
        }
        // There are few users. Reading them names those that cannot be read in the log of the start.
        _ = try AppNetUserTable(database: database).all()
        return credentials
    }
}

/// Stores the accounts of a configuration.
private struct AccountWriter {
    let database: Database
    let random: RandomSource
    let now: Int64

    func save(_ app: AppNetAccounts.App) throws -> AppNetApp {
        let table = AppNetAppTable(database: database)
        let stored = AppNetApp(
            clientID: app.clientID,
            clientSecret: try app.clientSecret ?? table.app(app.clientID)?.clientSecret ?? random.secret(),
            passwordGrantSecret: app.passwordGrantSecret,
            name: app.name ?? app.clientID,
            link: app.link ?? "https://example.com",
            redirectURIs: app.redirectURIs ?? []
        )
        try table.save(stored)
        return stored
    }

    /// Stores a user, and returns the id. A user that exists gets the password of the configuration; the other columns
    /// are neither read nor changed.
    func save(_ account: AppNetAccounts.User) throws -> Int64 {
        let table = AppNetUserTable(database: database)
        let password = try account.password.map { try StoredPassword($0) }
        if let user = try table.setPassword(password, name: account.name) { return user }
        return try table.insert(
            AppNetUser(
                id: 0,
                username: account.name.lowercased(),
                password: password,
                name: account.fullName ?? account.name,
                type: account.type ?? "human",
                created: now,
                timezone: "America/Los_Angeles",
                locale: "en_US"
            )
        ).id
    }

    /// Stores the tokens of the configuration and returns the first. If there are none, keeps or creates a random
    /// token.
    func token(_ named: [String]?, user: Int64?, client: String, scopes: Set<AppNetScope>) throws -> String {
        let table = AppNetTokenTable(database: database)
        var secrets = named ?? []
        if secrets.isEmpty {
            let initial = try table.tokens(of: user, client: client).first(where: \.isInitial)
            secrets = [initial?.secret ?? random.secret()]
        }
        // A row that cannot be decoded is named in the log. It is kept, because its secret cannot be stored again.
        for secret in secrets where try table.token(secret) == nil && !table.isStored(secret) {
            try table.insert(
                AppNetToken(
                    id: 0,
                    secret: secret,
                    user: user,
                    client: client,
                    scopes: scopes,
                    created: now,
                    isInitial: true
                )
            )
        }
        return secrets.first ?? ""
    }
}

extension AppNetCredentials: CustomStringConvertible, CustomReflectable {
    /// The names, without tokens and secrets.
    var description: String { "credentials of \(clientID) and \(users.map(\.username).joined(separator: ", "))" }

    var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
