internal import HeliumJSON

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

extension AppNetToken: CustomStringConvertible, CustomReflectable {
    /// The row; never the secret.
    var description: String { "token \(id) of \(client)" }

    var customMirror: Mirror { Mirror(self, children: ["id": id, "client": client]) }
}

/// An application (§1.3).
struct AppNetApp: Hashable, Sendable {
    var clientID: String
    var clientSecret: String
    var passwordGrantSecret: String?
    var name: String
    var link: String
    /// Empty: any port of 127.0.0.1 and localhost.
    var redirectURIs: [String]

    /// The app as `source` of objects (§3.5).
    var source: JSONValue {
        ["name": .string(name), "link": .string(link), "client_id": .string(clientID)]
    }
}

extension AppNetApp: CustomStringConvertible, CustomReflectable {
    /// The client's id; never a secret.
    var description: String { clientID }

    var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
