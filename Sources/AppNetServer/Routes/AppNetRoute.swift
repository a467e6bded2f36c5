internal import HTTPTypes

/// The kind of token that a call requires (Docs/Protocols/AppNet.md §1.2).
enum AppNetAccess: Hashable, Sendable {
    /// No token. A token personalizes the response.
    case none
    /// A user token.
    case user
    /// An app token.
    case app
    /// A user token or an app token.
    case any
    /// No token, but without a token the response contains only public objects.
    case varies
}

/// The maximum size of the body of a call.
enum AppNetBodyLimit: Hashable, Sendable {
    /// ``ServerLimits/bodyBytes``.
    case document
    /// ``AppNetMaxima/uploadBytes`` for a picture in a multipart body, and ``ServerLimits/bodyBytes`` for other types.
    case picture
    /// ``AppNetMaxima/uploadBytes`` for the content of a file: a multipart body, or any body if the call takes bytes.
    case file
}

/// A call of the API (Docs/Protocols/AppNet.md §2).
struct AppNetRoute: TableRoute {
    var area: AppNetArea
    let methods: [HTTPRequest.Method]
    let pattern: AppNetPattern
    let access: AppNetAccess
    /// The scopes of which a user token needs one. If empty, no scope is required.
    var scopes: Set<AppNetScope> = []
    var isPaginated = false
    /// Whether the call runs in a transaction that may write. Default: `true` for every method except GET.
    var writes: Bool
    /// Whether the call counts against the limit for writes (Docs/Protocols/AppNet.md §1.7).
    var countsAsWrite: Bool
    /// Whether a body that is not multipart is passed on undecoded, whatever its type. Such a body contains no
    /// parameters of the call.
    var takesBytes = false
    /// Whether responses contain the header fields for rate limits. Those of `GET token` and `GET config` do not, as
    /// with the service.
    var tellsLimits = true
    /// Whether the call counts against the rate limits.
    var isLimited = true
    /// Whether the call opens a stream. Its response has no end, so HEAD is not allowed.
    var opensStream = false
    /// The maximum size of the body.
    var bodyLimit = AppNetBodyLimit.document
    /// Handles the call in a transaction.
    typealias Handler = @Sendable (AppNetContext) throws -> AppNetResponse
    /// Parses the body and returns the handler. Runs outside of transactions, so that parsing, hashing and checking a
    /// long body do not hold up other writes.
    let prepare: @Sendable (AppNetRequest) throws -> Handler

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess = .user,
        area: AppNetArea = .api,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        handler: @escaping Handler
    ) {
        self.init(
            method,
            path,
            access,
            area: area,
            scopes: scopes,
            isPaginated: isPaginated,
            preparing: { _ in handler }
        )
    }

    private init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess,
        area: AppNetArea,
        scopes: Set<AppNetScope>,
        isPaginated: Bool,
        preparing prepare: @escaping @Sendable (AppNetRequest) throws -> Handler
    ) {
        self.area = area
        methods = [method]
        pattern = AppNetPattern(path)
        self.access = access
        self.scopes = scopes
        self.isPaginated = isPaginated
        writes = method != .get
        countsAsWrite = writes
        self.prepare = prepare
    }

    /// Creates a call that is handled by a method without parameters.
    init<Handlers: RequestScoped>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess = .user,
        area: AppNetArea = .api,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        by answer: @escaping @Sendable (Handlers) -> () throws -> AppNetResponse
    ) {
        self.init(method, path, access, area: area, scopes: scopes, isPaginated: isPaginated) {
            try answer(Handlers($0))()
        }
    }

    /// Creates a call whose body is parsed outside of the transaction.
    init<Handlers: RequestScoped, Input: Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess = .user,
        area: AppNetArea = .api,
        scopes: Set<AppNetScope> = [],
        parsing input: @escaping @Sendable (AppNetRequest) throws -> Input,
        by answer: @escaping @Sendable (Handlers) -> (Input) throws -> AppNetResponse
    ) {
        self.init(method, path, access, area: area, scopes: scopes, isPaginated: false) { request in
            let input = try input(request)
            return { try answer(Handlers($0))(input) }
        }
    }

    /// Returns the route with some of its properties changed.
    func with(_ change: (inout Self) -> Void) -> Self {
        var route = self
        change(&route)
        return route
    }
}

extension [AppNetRoute] {
    /// Returns the routes with some of their properties changed.
    func with(_ change: (inout AppNetRoute) -> Void) -> Self { map { $0.with(change) } }
}

/// A path of the table, such as `channels/{id}/messages`. A name in braces matches any segment.
struct AppNetPattern: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    let description: String
    let parts: [Part]

    init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// Returns the parameters of a matching path; `nil` for other paths.
    func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text): if text != segment { return nil }
            case .parameter(let name): values[name] = segment
            }
        }
        return values
    }

    /// The precedence among patterns that match the same path. Patterns with earlier literals come first.
    var rank: [Int] { parts.map { if case .literal = $0 { 0 } else { 1 } } }
}
