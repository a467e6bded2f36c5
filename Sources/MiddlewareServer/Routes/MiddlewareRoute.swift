internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// A route of the middleware: its address, its parameters and its action.
struct MiddlewareRoute: Sendable {
    /// The kind of a route. It determines the method (end of Docs/Protocols/Middleware.md §5) and the shared rate-limit
    /// counter (§5.6).
    enum Kind: String, Sendable {
        case list, index, create, update, delete

        var method: HTTPRequest.Method {
            switch self {
            case .list, .index: .get
            case .create: .post
            case .update: .put
            case .delete: .delete
            }
        }
    }

    /// The name of the route in the service listing.
    let id: String
    let kind: Kind
    /// The first segment after the prefix. Index, update and delete routes have one more, the `:id`.
    let resource: String
    let rules: [ParameterRule]
    /// Whether a key is required.
    var isSigned = true
    /// Whether the route registers a device, which needs no key.
    var isRegistration = false
    /// The codes of the route's failures by status, for the service listing.
    var codes: [Int: [String]] = [:]
    let run: @Sendable (MiddlewareCall) async throws -> JSONValue?

    var hasIdentifier: Bool { kind == .index || kind == .update || kind == .delete }

    /// The path below the prefix.
    var path: String { hasIdentifier ? "/\(resource)/:id" : "/\(resource)" }

    /// All rules that are checked before the route runs: those of the key check first, then its own.
    var allRules: [ParameterRule] { (isSigned ? Self.keyRules : []) + rules + [Self.selectionRule] }

    /// The parameters of the key check (Docs/Protocols/Middleware.md §1.5, step 3).
    private static let keyRules = [
        ParameterRule(id: "key", section: .header, isRequired: true),
        ParameterRule(id: "signaturemethod", section: .header, allowed: ["sha256"]),
        ParameterRule(id: "requestdate", section: .header, kind: .date),
    ]

    private static let selectionRule = ParameterRule(
        id: "selection",
        section: .query,
        pattern: { FieldSelection($0) != nil }
    )
}

/// The input of a route: a request whose parameters and key, if one is required, are valid.
struct MiddlewareCall: Sendable {
    let request: ServerRequest
    let values: ParameterValues
    /// The decoded `:id` of the path; empty if there is none.
    let identifier: String
    /// The caller's identity; `nil` on routes without a key.
    let identity: KeyVerifier.Identity?
    /// The server's clock in milliseconds.
    let now: Int64
}

/// The failure of a route.
struct RouteFailure: Error, Sendable {
    let status: HTTPResponse.Status
    /// The elements of `errors`.
    let errors: [JSONValue]

    init(_ status: HTTPResponse.Status, code: String, _ message: String) {
        self.status = status
        errors = [["code": .string(code), "msg": .string(message)]]
    }

    init(_ status: HTTPResponse.Status, errors: [JSONValue] = [[:]]) {
        self.status = status
        self.errors = errors
    }
}
