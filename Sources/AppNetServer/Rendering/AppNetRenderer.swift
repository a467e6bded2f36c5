internal import GRDB
internal import HeliumJSON

/// Makes the answer's objects (§3) for one viewer. Each kind has an extension of its own; embedded objects come from
/// the same place.
final class AppNetRenderer {
    let database: Database
    let viewer: AppNetViewer
    let options: GeneralParameters
    /// The URL of the server's root.
    let root: String
    /// Seconds since 1970.
    let now: Int64
    /// Whether members about the viewer are there; not on app streams (§2.13).
    var isPersonal = true

    /// Users that were rendered already: a page names few of them many times.
    private var users: [Int64: JSONValue] = [:]
    private var usersInAnnotations: [Int64: JSONValue] = [:]
    private var sources: [String: JSONValue] = [:]

    init(database: Database, viewer: AppNetViewer, options: GeneralParameters, root: String, now: Int64) {
        self.database = database
        self.viewer = viewer
        self.options = options
        self.root = root
        self.now = now
    }

    /// A renderer of events: with the display options of a connection, and recent messages.
    convenience init(_ viewer: AppNetViewer, _ display: GeneralParameters, _ state: AppNetState, _ database: Database) {
        var options = display
        options.includesRecentMessage = true
        self.init(database: database, viewer: viewer, options: options, root: state.root, now: state.now())
    }

    /// The user with an id; nil where the account is gone.
    func user(_ id: Int64) throws -> JSONValue? {
        if let rendered = users[id] { return rendered }
        guard let user = try AppNetUserTable(database: database).user(id) else { return nil }
        let rendered = try self.user(user)
        users[id] = rendered
        return rendered
    }

    /// The user with an id, without annotations: those may name users in turn, and at last the one who has them.
    func userInAnnotation(_ id: Int64) throws -> JSONValue? {
        if let rendered = usersInAnnotations[id] { return rendered }
        guard let user = try AppNetUserTable(database: database).user(id) else { return nil }
        let rendered = try self.user(user, isAnnotated: false)
        usersInAnnotations[id] = rendered
        return rendered
    }

    /// The app by which something was made (§3.5).
    func source(_ client: String) throws -> JSONValue {
        if let rendered = sources[client] { return rendered }
        let app = try AppNetAppTable(database: database).app(client)
        let rendered: JSONValue =
            app?.source ?? ["name": .string(client), "link": "https://example.com", "client_id": .string(client)]
        sources[client] = rendered
        return rendered
    }

    /// `text`, `html` and `entities` of a post or a message; only `entities` if it has no text.
    func textMembers(of content: some TextContent) -> JSONObject {
        content.processedText?.members(html: options.includesHTML) ?? ["entities": content.entities.json]
    }
}
