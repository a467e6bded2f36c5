internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls of clients, which are the server's apps (AppNet.md §6.2). All of them are the first user's [choice].
extension AppNetCall {
    /// `GET users/{user}/clients`
    func listClients() throws -> AppNetAnswer {
        let user = try user()
        guard user.id == (try ClientTable(database: database).owner()) else { return .data([]) }
        return .data(.array(try ClientTable(database: database).all().map(\.summary)))
    }

    /// `GET clients/{client}`
    func readClient() throws -> AppNetAnswer {
        let table = ClientTable(database: database)
        guard let app = try apps.app(segment("client")) else { throw AppNetFailure.notFound }
        var client = app.summary
        let owner = try table.owner().flatMap(users.user)
        client["created_at"] = .string(AppNetDate.text(owner?.created ?? 0))
        client["posts"] = .count(try table.posts(by: app.clientID))
        let content = ProcessedText(text: app.name).members(html: options.includesHTML)
        client["content"] = PnutObject.text.translated(.object(content))["content"]
        client["user"] = try owner.map(renderer.user)
        return .data(client)
    }
}

/// Queries of the stored apps as pnut's clients.
struct ClientTable {
    let database: Database

    func all() throws -> [AppNetApp] {
        let apps = AppNetAppTable(database: database)
        return try String.fetchAll(database, sql: "SELECT client FROM appnet_app ORDER BY rowid").compactMap(apps.app)
    }

    /// The user whose clients they are.
    func owner() throws -> Int64? { try Int64.fetchOne(database, sql: "SELECT MIN(id) FROM appnet_user") }

    /// The number of posts written with a client.
    func posts(by client: String) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM appnet_post WHERE client = ? AND NOT is_deleted",
            arguments: [client]
        ) ?? 0
    }
}

extension AppNetApp {
    /// The members that a list of clients has.
    fileprivate var summary: JSONValue { ["id": .string(clientID), "name": .string(name), "url": .string(link)] }
}
