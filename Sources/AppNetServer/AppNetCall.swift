internal import GRDB
internal import HTTPTypes
internal import HeliumJSON

/// A request with its caller, inside of one transaction: what the routes work with.
final class AppNetCall {
    let request: AppNetRequest
    /// The parameters in the path, by their names in the route's pattern.
    let path: [String: String]
    let caller: AppNetCaller
    let options: GeneralParameters
    /// Seconds since 1970.
    let now: Int64
    let state: AppNetState
    let database: Database
    /// What is told to streams after the commit, in the order of the writes.
    var effects: [AppNetEvent] = []

    init(
        request: AppNetRequest,
        path: [String: String],
        caller: AppNetCaller,
        now: Int64,
        state: AppNetState,
        database: Database
    ) {
        self.request = request
        self.path = path
        self.caller = caller
        self.now = now
        self.state = state
        self.database = database
        options = GeneralParameters(request.parameters, isPnut: request.isPnut)
    }

    var parameters: AppNetParameters { request.parameters }
    var maxima: AppNetMaxima { state.configuration.maxima }
    var users: AppNetUserTable { AppNetUserTable(database: database) }
    var tokens: AppNetTokenTable { AppNetTokenTable(database: database) }
    var apps: AppNetAppTable { AppNetAppTable(database: database) }
    var settings: AppNetSettingTable { AppNetSettingTable(database: database) }

    /// Renders objects for the caller, with the call's options.
    var renderer: AppNetRenderer { renderer(options) }

    /// Renders objects for the caller, with other options.
    func renderer(_ options: GeneralParameters) -> AppNetRenderer {
        AppNetRenderer(database: database, viewer: caller.viewer, options: options, root: request.root, now: now)
    }

    /// The body as an object.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for malformed JSON and for anything but an object.
    func body() throws(AppNetFailure) -> JSONValue {
        let document = try request.body.document()
        guard case .object = document else { throw .badRequest("The body must be a JSON object.") }
        return document
    }

    /// A parameter of the path.
    func segment(_ name: String) -> String { path[name] ?? "" }

    /// A parameter of the path that is an id.
    ///
    /// - Throws: ``AppNetFailure`` with 404 for what is no number.
    func id(_ name: String) throws(AppNetFailure) -> Int64 {
        guard let id = Int64(segment(name)), id > 0 else { throw .notFound }
        return id
    }

    /// The user whose token it is.
    ///
    /// - Throws: ``AppNetFailure`` with 401 or 403 where there is none; routes for users are not reached then.
    func me() throws(AppNetFailure) -> Int64 {
        guard let token = caller.token else { throw .noToken }
        guard let user = token.user else { throw .forbidden("This call requires a user token.") }
        return user
    }

    /// The user whom the path's `{user}` names: an id, `@username` or `me` (§2).
    ///
    /// - Throws: ``AppNetFailure`` with 404, or what ``me()`` throws.
    func user(_ name: String = "user") throws -> AppNetUser {
        guard let user = try namedUser(segment(name)) else { throw AppNetFailure.notFound }
        return user
    }

    /// A user by id, `@username` or `me`; nil where nobody is called so.
    func namedUser(_ text: String) throws -> AppNetUser? {
        if text == "me" { return try users.user(try me()) }
        if text.hasPrefix("@") { return try users.user(name: String(text.dropFirst())) }
        return try Int64(text).flatMap { try users.user($0) }
    }
}

/// Who makes a call.
struct AppNetCaller: Hashable, Sendable {
    /// Nil without a token.
    var token: AppNetToken?

    var user: Int64? { token?.user }
    var isApp: Bool { token != nil && token?.user == nil }
    var viewer: AppNetViewer {
        AppNetViewer(user: token?.user, client: token?.client, scopes: token?.scopes ?? [])
    }
}

/// For whom objects are rendered.
struct AppNetViewer: Hashable, Sendable {
    /// Nil for apps and for the public.
    var user: Int64?
    /// The app whose token it is; nil for the public.
    var client: String?
    /// A user token's scopes.
    var scopes: Set<AppNetScope> = []

    /// Whoever has no token.
    static let anyone = Self(user: nil, client: nil)

    var isApp: Bool { user == nil && client != nil }
}
