internal import GRDB
internal import HeliumServerKit

/// The stored apps.
struct AppNetAppTable {
    let database: Database

    func app(_ client: String) throws -> AppNetApp? { try AppNetApp.fetchOne(database, where: "client = ?", [client]) }

    /// All apps, the first first.
    func all() throws -> [AppNetApp] { try AppNetApp.fetchAll(database, where: "1 = 1 ORDER BY rowid") }

    /// Stores an app, in the place of one of the same name.
    func save(_ app: AppNetApp) throws { try app.insert(database, onConflict: .replace) }
}
