internal import GRDB
internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The context of one request: the request, its caller, the transaction, and the events to publish.
///
/// Add only values that every handler needs. Decisions about one subject, such as the access to a channel, belong to a
/// ``RequestScoped`` type of that subject.
final class AppNetContext {
    let request: AppNetRequest
    /// The parameters in the path, by their names in the route's pattern.
    let path: [String: String]
    let caller: AppNetCaller
    let options: GeneralParameters
    /// The time of the request in seconds since 1970.
    let now: Int64
    let state: AppNetState
    let database: Database
    /// The reader of the response.
    let reader: AppNetReader
    /// The changes of streams to make after the commit.
    var effects = AppNetEffects()

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
        reader = AppNetReader(caller.viewer, database, query: request.parameters)
        options = GeneralParameters(request.parameters, request.dialect)
    }

    var parameters: FormFields { request.parameters }
    var maxima: AppNetMaxima { state.configuration.maxima }
    var tables: AppNetTables { AppNetTables(database: database) }

    /// A renderer for the caller, with the request's options.
    var renderer: AppNetRenderer { AppNetRenderer(reader, options: options, root: request.root, now: now) }

    /// Returns the body, which must be an object.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for malformed JSON and for a body that is not an object.
    func body() throws(AppNetFailure) -> JSONValue {
        let document = try request.body.document()
        guard case .object = document else { throw .badRequest("The body must be a JSON object.") }
        return document
    }

    /// Returns a parameter of the path.
    func segment(_ name: String) -> String { path[name] ?? "" }

    /// Returns an id in the path.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if it is not a positive number.
    func id(_ name: String) throws(AppNetFailure) -> Int64 {
        guard let id = Int64(segment(name)), id > 0 else { throw .notFound }
        return id
    }

    /// Returns the caller's token.
    ///
    /// - Throws: ``AppNetFailure`` with 401 without a token. Routes that require a token are not called in this case.
    func token() throws(AppNetFailure) -> AppNetToken {
        guard let token = caller.token else { throw .noToken }
        return token
    }

    /// Returns the user of the caller's token.
    ///
    /// - Throws: ``AppNetFailure`` with 401 or 403 without a user token. Routes that require one are not called in this
    ///   case.
    func me() throws(AppNetFailure) -> Int64 {
        guard let user = try token().user else { throw .forbidden("This call requires a user token.") }
        return user
    }
}

/// A part of the processing of one request: the handlers of a subject, or a service that several handlers share.
protocol RequestScoped: SendableMetatype {
    var context: AppNetContext { get }

    init(context: AppNetContext)
}

extension RequestScoped {
    init(_ context: AppNetContext) { self.init(context: context) }

    var tables: AppNetTables { context.tables }
    var reader: AppNetReader { context.reader }
}
