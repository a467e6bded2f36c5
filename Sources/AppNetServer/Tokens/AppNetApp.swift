internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// An app (Docs/Protocols/AppNet.md §1.3).
struct AppNetApp: Codable, Hashable, Sendable {
    var clientID: String
    var clientSecret: String
    var passwordGrantSecret: String?
    var name: String
    var link: String
    /// The redirect URIs. If empty, any port of 127.0.0.1 and localhost is allowed.
    @JSONText var redirectURIs: [String]

    enum CodingKeys: String, CodingKey {
        case clientID = "client"
        case clientSecret = "secret"
        case passwordGrantSecret = "password_grant"
        case name, link
        case redirectURIs = "redirects"
    }

    /// The app as the `source` of objects (Docs/Protocols/AppNet.md §3.5).
    var source: JSONValue {
        ["name": .string(name), "link": .string(link), "client_id": .string(clientID)]
    }
}

extension AppNetApp: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_app"
}

extension AppNetApp: CustomStringConvertible, CustomReflectable {
    /// The client id, without secrets.
    var description: String { clientID }

    var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}

/// The table of apps.
struct AppNetAppTable {
    let database: Database

    func app(_ client: String) throws -> AppNetApp? { try AppNetApp.fetchOne(database, where: "client = ?", [client]) }

    /// Returns all apps in the order of their creation.
    func all() throws -> [AppNetApp] { try AppNetApp.fetchAll(database, where: "1 = 1 ORDER BY rowid") }

    /// Stores an app. It replaces an app with the same client id.
    func save(_ app: AppNetApp) throws { try app.insert(database, onConflict: .replace) }
}
