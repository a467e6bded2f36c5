internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A bearer token (§1.2).
struct AppNetToken: Hashable, Sendable {
    enum State: String, Sendable {
        case active, revoked, expired
    }

    /// The row, which is also the pagination id.
    var id: Int64
    var secret: String
    /// Nil for an app token.
    var user: Int64?
    var client: String
    var scopes: Set<AppNetScope>
    var created: Int64
    var state: State = .active
    /// Whether the ready line tells it.
    var isInitial = false
}

extension AppNetToken: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_token"

    enum Columns: String, ColumnExpression {
        case id, secret, user, client, scopes, created, state
        case isInitial = "is_initial"
    }

    init(row: Row) {
        self.init(
            id: row[Columns.id],
            secret: row[Columns.secret],
            user: row[Columns.user],
            client: row[Columns.client],
            scopes: Set(list: row[Columns.scopes]),
            created: row[Columns.created],
            state: State(rawValue: row[Columns.state]) ?? .revoked,
            isInitial: row[Columns.isInitial]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = RowID(wrappedValue: id)
        container[Columns.secret] = secret
        container[Columns.user] = user
        container[Columns.client] = client
        container[Columns.scopes] = scopes.list
        container[Columns.created] = created
        container[Columns.state] = state.rawValue
        container[Columns.isInitial] = isInitial
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension AppNetToken: CustomStringConvertible, CustomReflectable {
    /// The row; never the secret.
    var description: String { "token \(id) of \(client)" }

    var customMirror: Mirror { Mirror(self, children: ["id": id, "client": client]) }
}

/// An application (§1.3).
struct AppNetApp: Codable, Hashable, Sendable {
    var clientID: String
    var clientSecret: String
    var passwordGrantSecret: String?
    var name: String
    var link: String
    /// Empty: any port of 127.0.0.1 and localhost.
    @JSONText var redirectURIs: [String]

    enum CodingKeys: String, CodingKey {
        case clientID = "client"
        case clientSecret = "secret"
        case passwordGrantSecret = "password_grant"
        case name, link
        case redirectURIs = "redirects"
    }

    /// The app as `source` of objects (§3.5).
    var source: JSONValue {
        ["name": .string(name), "link": .string(link), "client_id": .string(clientID)]
    }
}

extension AppNetApp: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_app"
}

extension AppNetApp: CustomStringConvertible, CustomReflectable {
    /// The client's id; never a secret.
    var description: String { clientID }

    var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
