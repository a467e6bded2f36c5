internal import HTTPTypes
internal import HeliumServerKit

/// A refusal, as the client gets to read it (§1.5).
struct AppNetFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let message: String
    /// The name of a well-known cause: `invalid-token`, `not-authorized`, `token-expired`.
    var slug: String?
    /// The methods of a path, for 405.
    var allowed: [String] = []
    /// Seconds to wait, for 429.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ message: String, slug: String? = nil) {
        self.status = status
        self.message = message
        self.slug = slug
    }
}

extension AppNetFailure {
    /// 400, with the prefix that the service gave its messages.
    static func badRequest(_ reason: String) -> Self { Self(.badRequest, "Bad Request: \(reason)") }

    /// The refusal that takes the place of a response by injected faults; `nil` if there is none.
    init?(injectedBy faults: ActiveFaults) {
        guard let status = faults.status else { return nil }
        self =
            status == 429
            ? .rateLimited(retryAfter: 1)
            : Self(HTTPResponse.Status(code: status), "Fault: A fault was injected.")
    }

    /// 500 for a failure of the server itself.
    static let serverError = Self(.internalServerError, "Internal Server Error: The server could not do it.")

    /// 400 for a text that cannot be used.
    static func unusable(_ fault: TextFault) -> Self {
        badRequest("\(fault.reason.prefix(1).uppercased())\(fault.reason.dropFirst()).")
    }

    /// 401 for a call that needs a token and has none.
    static let noToken = Self(.unauthorized, "Call requires authentication: No access token was provided.")

    /// 401 for a token that nobody was given.
    static let invalidToken = Self(
        .unauthorized,
        "Call requires authentication: The access token is invalid.",
        slug: "invalid-token"
    )

    /// 401 for a token that the user took back.
    static let revokedToken = Self(
        .unauthorized,
        "Call requires authentication: The access token was revoked.",
        slug: "not-authorized"
    )

    static let expiredToken = Self(
        .unauthorized,
        "Call requires authentication: The access token has expired.",
        slug: "token-expired"
    )

    static func forbidden(_ reason: String) -> Self { Self(.forbidden, "Forbidden: \(reason)") }

    /// 404 for what does not exist, or is hidden from the caller.
    static let notFound = Self(.notFound, "Not Found: Could not find what you are looking for.")

    /// 405 with the methods that the path has.
    static func methodNotAllowed(_ allowed: [String]) -> Self {
        var failure = Self(.methodNotAllowed, "Method not allowed. Please use: \(allowed.joined(separator: ","))")
        failure.allowed = allowed
        return failure
    }

    /// 413 for a body beyond the ceiling.
    static let tooLong = Self(.contentTooLarge, "Request Entity Too Large: The body is too long.")

    /// 503 for a body that the server has no room for (``ServerLimits/collectedBytes``).
    static let noRoom = Self(.serviceUnavailable, "Service Unavailable: Too many bodies are being received.")

    /// 507 for a file beyond the most bytes of one.
    static func fileTooLong(_ maximum: Int) -> Self { quota("A file has at most \(maximum) bytes.") }

    /// 429 with the seconds to wait.
    static func rateLimited(retryAfter: Int) -> Self {
        var failure = Self(.tooManyRequests, "Too Many Requests: The rate limit is exceeded.")
        failure.retryAfter = retryAfter
        return failure
    }

    /// 429 for one more stream than a token may have; another has to end first.
    static let tooManyStreams = {
        var failure = Self(.tooManyRequests, "Too Many Requests: Too many streams are open.")
        failure.retryAfter = 60
        return failure
    }()

    /// 507 for a quota that is used up.
    static func quota(_ what: String) -> Self {
        Self(HTTPResponse.Status(code: 507), "Insufficient Storage: \(what)")
    }

    /// 400 for a write beyond one of ``AppNetMaxima``.
    static func full(_ what: String) -> Self { badRequest("No more \(what) can be stored.") }
}

/// Throws a failure unless a condition holds.
func require(_ condition: Bool, or failure: @autoclosure () -> AppNetFailure) throws(AppNetFailure) {
    if !condition { throw failure() }
}

/// Throws a failure with 400 and a reason unless a condition holds.
func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(AppNetFailure) {
    if !condition { throw .badRequest(reason()) }
}

/// Returns a value, or throws a failure if there is none.
func require<Value>(_ value: Value?, or failure: @autoclosure () -> AppNetFailure) throws(AppNetFailure) -> Value {
    guard let value else { throw failure() }
    return value
}
