internal import HTTPTypes
internal import HeliumServerKit

/// An error response (Docs/Protocols/AppNet.md §1.5).
struct AppNetFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let message: String
    /// The identifier of a well-known cause: `invalid-token`, `not-authorized` or `token-expired`.
    var slug: String?
    /// The allowed methods of a path, for 405.
    var allowed: [String] = []
    /// The number of seconds to wait, for 429, and for 503 of a store that failed.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ message: String, slug: String? = nil) {
        self.status = status
        self.message = message
        self.slug = slug
    }
}

extension AppNetFailure {
    /// Returns 400 with the message prefix of the service.
    static func badRequest(_ reason: String) -> Self { Self(.badRequest, "Bad Request: \(reason)") }

    /// Creates the failure that injected faults cause; `nil` if there is none.
    init?(injectedBy faults: ActiveFaults) {
        guard let status = faults.status else { return nil }
        self =
            status == 429
            ? .rateLimited(retryAfter: 1)
            : Self(HTTPResponse.Status(code: status), "Fault: A fault was injected.")
    }

    /// 500 for a failure of the server itself.
    static let serverError = Self(.internalServerError, "Internal Server Error: The request could not be processed.")

    /// 503 if the store cannot be read or written now.
    static let storeUnavailable = {
        var failure = Self(.serviceUnavailable, "Service Unavailable: The store failed. Try again later.")
        failure.retryAfter = StoreFault.retryAfter
        return failure
    }()

    /// Returns the failure for an error that is not an ``AppNetFailure``.
    static func unexpected(_ error: any Error) -> Self {
        StoreFault.temporary(error) == nil ? .serverError : .storeUnavailable
    }

    /// Returns 400 for an invalid text.
    static func unusable(_ fault: TextFault) -> Self {
        badRequest("\(fault.reason.prefix(1).uppercased())\(fault.reason.dropFirst()).")
    }

    /// 401 for a call without a token that requires one.
    static let noToken = Self(.unauthorized, "Call requires authentication: No access token was provided.")

    /// 401 for an unknown token.
    static let invalidToken = Self(
        .unauthorized,
        "Call requires authentication: The access token is invalid.",
        slug: "invalid-token"
    )

    /// 401 for a token that the user revoked.
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

    /// 404 for an object that does not exist or is hidden from the caller.
    static let notFound = Self(.notFound, "Not Found: Could not find what you are looking for.")

    /// Returns 405 with the methods of the path.
    static func methodNotAllowed(_ allowed: [String]) -> Self {
        var failure = Self(.methodNotAllowed, "Method not allowed. Please use: \(allowed.joined(separator: ","))")
        failure.allowed = allowed
        return failure
    }

    /// 413 for a body that exceeds the limit.
    static let tooLong = Self(.contentTooLarge, "Request Entity Too Large: The body is too long.")

    /// 503 for a body that would exceed the limit for all bodies (``ServerLimits/collectedBytes``).
    static let noRoom = Self(.serviceUnavailable, "Service Unavailable: Too many bodies are being received.")

    /// Returns 507 for a file that exceeds the maximum size.
    static func fileTooLong(_ maximum: Int) -> Self { quota("A file has at most \(maximum) bytes.") }

    /// 400 for filters that would exceed ``AppStreamTable/filterBytesOfApp``.
    static let filtersTooLong = badRequest(
        "The filters of an app's streams have at most \(AppStreamTable.filterBytesOfApp) bytes."
    )

    /// Returns 429 with the number of seconds to wait.
    static func rateLimited(retryAfter: Int) -> Self {
        var failure = Self(.tooManyRequests, "Too Many Requests: The rate limit is exceeded.")
        failure.retryAfter = retryAfter
        return failure
    }

    /// 429 if a token has reached the maximum number of streams. Another stream must end first.
    static let tooManyStreams = {
        var failure = Self(.tooManyRequests, "Too Many Requests: Too many streams are open.")
        failure.retryAfter = 60
        return failure
    }()

    /// Returns 507 for an exhausted quota.
    static func quota(_ what: String) -> Self {
        Self(HTTPResponse.Status(code: 507), "Insufficient Storage: \(what)")
    }

    /// Returns 400 for a write that exceeds one of ``AppNetMaxima``.
    static func full(_ what: String) -> Self { badRequest("No more \(what) can be stored.") }
}

/// Throws a failure if a condition is false.
func require(_ condition: Bool, or failure: @autoclosure () -> AppNetFailure) throws(AppNetFailure) {
    if !condition { throw failure() }
}

/// Throws a failure with 400 and a reason if a condition is false.
func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(AppNetFailure) {
    if !condition { throw .badRequest(reason()) }
}

/// Returns a value, or throws a failure if it is `nil`.
func require<Value>(_ value: Value?, or failure: @autoclosure () -> AppNetFailure) throws(AppNetFailure) -> Value {
    guard let value else { throw failure() }
    return value
}
