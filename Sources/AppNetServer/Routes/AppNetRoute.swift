internal import HTTPTypes

/// Who may make a call (§1.2).
enum AppNetAccess: Hashable, Sendable {
    /// No token is needed; one personalises the answer.
    case none
    /// A user token.
    case user
    /// An app token.
    case app
    /// Either kind.
    case any
    /// Works without a token, but shows only what is public.
    case varies
}

/// One call of the API (§2).
struct AppNetRoute: TableRoute {
    var area: AppNetArea
    let methods: [HTTPRequest.Method]
    let pattern: AppNetPattern
    let access: AppNetAccess
    /// A user token needs one of them; empty: none.
    var scopes: Set<AppNetScope> = []
    var isPaginated = false
    /// Whether it runs in a transaction that may write. Default: for every method but GET.
    var writes: Bool
    /// Whether it counts against the limit on writes (§1.7).
    var countsAsWrite: Bool
    /// Whether a body without parts is kept as it is, whatever its type: nothing in it is the call's.
    var takesBytes = false
    /// Whether answers carry the limits' header fields: `GET token` and `GET config` do not [wire].
    var tellsLimits = true
    /// Whether it counts at all.
    var isLimited = true
    let handler: @Sendable (AppNetContext) throws -> AppNetAnswer

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess = .user,
        area: AppNetArea = .api,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetContext) throws -> AppNetAnswer
    ) {
        self.area = area
        methods = [method]
        pattern = AppNetPattern(path)
        self.access = access
        self.scopes = scopes
        self.isPaginated = isPaginated
        writes = method != .get
        countsAsWrite = writes
        self.handler = handler
    }

    /// A call that a method of handlers without parameters answers.
    init<Handlers: RequestScoped>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess = .user,
        area: AppNetArea = .api,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        by answer: @escaping @Sendable (Handlers) -> () throws -> AppNetAnswer
    ) {
        self.init(method, path, access, area: area, scopes: scopes, isPaginated: isPaginated) {
            try answer(Handlers($0))()
        }
    }

    /// The route with some of its properties changed.
    func with(_ change: (inout Self) -> Void) -> Self {
        var route = self
        change(&route)
        return route
    }
}

extension [AppNetRoute] {
    /// The routes with some of their properties changed.
    func with(_ change: (inout AppNetRoute) -> Void) -> Self { map { $0.with(change) } }
}

/// A path of the table: `channels/{id}/messages`, where a name in braces stands for any segment.
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

    /// The parameters of a path that it fits; nil for another path.
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

    /// Of two patterns that fit a path, the one whose literals come first is meant.
    var rank: [Int] { parts.map { if case .literal = $0 { 0 } else { 1 } } }
}
