internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls on clients, which are the server's apps (AppNet.md §6.2). All belong to the first user [choice].
struct ClientHandlers: RequestScoped {
    let context: AppNetContext

    /// `GET users/{user}/clients`
    func list() throws -> AppNetAnswer {
        let user = try UserFinder(context).user()
        guard user.id == (try tables.users.first()) else { return .data([]) }
        return .data(.array(try tables.apps.all().map(\.summary)))
    }

    /// `GET clients/{client}`
    func read() throws -> AppNetAnswer {
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
    /// The members that a list of clients has.
    fileprivate var summary: JSONValue { ["id": .string(clientID), "name": .string(name), "url": .string(link)] }
}
