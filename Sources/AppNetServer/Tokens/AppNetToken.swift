internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A bearer token (§1.2).
struct AppNetToken: Codable, Hashable, Sendable {
    enum State: String, Codable, Sendable {
        case active, revoked, expired
    }

    /// The row, which is also the pagination id.
    @RowID var id: Int64
    var secret: String
    /// Nil for an app token.
    var user: Int64?
    var client: String
    @ScopeList var scopes: Set<AppNetScope>
    var created: Int64
    var state: State = .active
    /// Whether the ready line tells it.
    var isInitial = false

    enum CodingKeys: String, CodingKey {
        case id, secret, user, client, scopes, created, state
        case isInitial = "is_initial"
    }
}

extension AppNetToken: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_token"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension AppNetToken.State: DatabaseValueConvertible {
    /// A state that this version does not know revokes the token.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .revoked }
    }
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
