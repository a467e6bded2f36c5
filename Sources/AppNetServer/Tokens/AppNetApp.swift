internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

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

/// The stored apps.
struct AppNetAppTable {
    let database: Database

    func app(_ client: String) throws -> AppNetApp? { try AppNetApp.fetchOne(database, where: "client = ?", [client]) }

    /// All apps, the first first.
    func all() throws -> [AppNetApp] { try AppNetApp.fetchAll(database, where: "1 = 1 ORDER BY rowid") }

    /// Stores an app, in the place of one of the same name.
    func save(_ app: AppNetApp) throws { try app.insert(database, onConflict: .replace) }
}
