internal import GRDB
internal import HeliumJSON

/// Creates the objects of responses for one reader (Docs/Protocols/AppNet.md §3). There is an extension for each kind
/// of object. Embedded objects are created in the same way.
///
/// A method whose result is optional returns `nil` for an object that the reader may not see.
final class AppNetRenderer {
    let reader: AppNetReader
    let options: GeneralParameters
    /// The server's root URL.
    let root: String
    /// The present time in seconds since 1970.
    let now: Int64

    var database: Database { reader.database }
    var viewer: AppNetViewer { reader.viewer }
    /// Whether objects contain members about the viewer. On app streams they do not (Docs/Protocols/AppNet.md §2.13).
    var isPersonal: Bool { reader.isPersonal }

    /// The users that were already rendered. A page usually contains few users many times.
    private var users: [Int64: JSONValue] = [:]
    private var usersInAnnotations: [Int64: JSONValue] = [:]
    private var sources: [String: JSONValue] = [:]

    init(_ reader: AppNetReader, options: GeneralParameters, root: String, now: Int64) {
        self.reader = reader
        self.options = options
        self.root = root
        self.now = now
    }

    /// Creates a renderer for events, with the display options of a connection and with recent messages.
    convenience init(_ reader: AppNetReader, _ display: GeneralParameters, _ state: AppNetState) {
        var options = display
        options.includesRecentMessage = true
        self.init(reader, options: options, root: state.root, now: state.now())
    }

    /// Returns the user with an id; `nil` if the account was deleted.
    func user(_ id: Int64) throws -> JSONValue? {
        if let rendered = users[id] { return rendered }
        guard let user = try AppNetUserTable(database: database).user(id) else { return nil }
        let rendered = try self.user(user)
        users[id] = rendered
        return rendered
    }

    /// Returns the user with an id, without annotations. Annotations may contain users, which would lead to a cycle.
    func userInAnnotation(_ id: Int64) throws -> JSONValue? {
        if let rendered = usersInAnnotations[id] { return rendered }
        guard let user = try AppNetUserTable(database: database).user(id) else { return nil }
        let rendered = try self.user(user, isAnnotated: false)
        usersInAnnotations[id] = rendered
        return rendered
    }

    /// Returns the app with which an object was created (Docs/Protocols/AppNet.md §3.5).
    func source(_ client: String) throws -> JSONValue {
        if let rendered = sources[client] { return rendered }
        let app = try AppNetAppTable(database: database).app(client)
        let rendered: JSONValue =
            app?.source ?? ["name": .string(client), "link": "https://example.com", "client_id": .string(client)]
        sources[client] = rendered
        return rendered
    }

    /// Returns `text`, `html` and `entities` of a post or a message, or only `entities` if it has no text.
    func textMembers(of content: some TextContent) -> JSONObject {
        content.processedText?.members(html: options.includesHTML) ?? ["entities": content.entities.json]
    }
}
