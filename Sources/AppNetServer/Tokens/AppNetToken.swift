internal import GRDB
internal import HeliumServerKit

/// A bearer token (Docs/Protocols/AppNet.md §1.2).
struct AppNetToken: Codable, Hashable, Sendable {
    enum State: String, Codable, Sendable {
        case active, revoked, expired
    }

    /// The row id, which is also the pagination id.
    @RowID var id: Int64
    var secret: String
    /// The id of the user; `nil` for an app token.
    var user: Int64?
    var client: String
    @ScopeList var scopes: Set<AppNetScope>
    var created: Int64
    var state: State = .active
    /// Whether the ready line contains the token.
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
    /// Returns a stored state. An unknown state counts as revoked.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .revoked }
    }
}

extension AppNetToken: CustomStringConvertible, CustomReflectable {
    /// The row id and the app, without the secret.
    var description: String { "token \(id) of \(client)" }

    var customMirror: Mirror { Mirror(self, children: ["id": id, "client": client]) }
}
