internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored apps.
struct AppNetAppTable {
    let database: Database

    func app(_ client: String) throws -> AppNetApp? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_app WHERE client = ?")
        return try Row.fetchOne(statement, arguments: [client]).map { row in
            AppNetApp(
                clientID: row["client"],
                clientSecret: row["secret"],
                passwordGrantSecret: row["password_grant"],
                name: row["name"],
                link: row["link"],
                redirectURIs: JSONValue.parse(row["redirects"])?.arrayValue?.compactMap(\.stringValue) ?? []
            )
        }
    }

    /// Stores an app, in the place of one of the same name.
    func save(_ app: AppNetApp) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO appnet_app (client, secret, password_grant, name, link, redirects)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                app.clientID, app.clientSecret, app.passwordGrantSecret, app.name, app.link,
                JSONValue.array(app.redirectURIs.map(JSONValue.string)).text(),
            ]
        )
    }
}
