internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls for clients, which are the server's apps (Docs/Protocols/AppNet.md §6.2). This server assigns all
/// clients to the first user.
struct ClientHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET users/{user}/clients`.
    func list() throws -> AppNetResponse {
        let user = try UserFinder(context).user()
        guard user.id == (try tables.users.first()) else { return .data([]) }
        return .data(.array(try tables.apps.all().map(\.summary)))
    }

    /// Handles `GET clients/{client}`.
    func read() throws -> AppNetResponse {
        guard let app = try tables.apps.app(context.segment("client")) else { throw AppNetFailure.notFound }
        var client = app.summary
        let owner = try tables.users.first().flatMap(tables.users.user)
        client["created_at"] = .string(AppNetDate.text(owner?.created ?? 0))
        client["posts"] = .count(try tables.posts.count(client: app.clientID))
        client["description"] = .object(ProcessedText(text: app.name).members(html: context.options.includesHTML))
        client["user"] = try owner.map(context.renderer.user)
        return .data(client)
    }
}

extension AppNetApp {
    /// The members of a client in a list of clients.
    fileprivate var summary: JSONValue { ["id": .string(clientID), "name": .string(name), "url": .string(link)] }
}
