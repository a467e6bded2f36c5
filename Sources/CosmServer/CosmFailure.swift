internal import HTTPTypes
internal import HeliumServerKit

/// An error response (Docs/Protocols/Cosm.md §2.4).
struct CosmFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let errors: [String]
    /// The number of seconds to wait, for a store that failed.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ title: String, _ errors: [String]) {
        self.status = status
        self.title = title
        self.errors = errors
    }
}

extension CosmFailure {
    /// 404 for a resource that does not exist, or that the key may not see.
    static let notFound = Self(
        .notFound,
        "Not found",
        ["I'm sorry we are unable to find the resource you are looking for."]
    )

    /// Returns 404 for an unknown path or method, in the words of the service, whose internal root was `/api`. The
    /// message masks the segment after `keys`, which may be a key.
    static func noRoute(_ request: CosmRequest) -> Self {
        let path = "/api/v2/\(KeyMask.segments(of: request.path.drop { $0 == "/" }).joined(separator: "/"))"
        return Self(.notFound, "Not found", ["No route matches [\(request.method.rawValue)] \"\(path)\""])
    }

    /// 401 for a missing, unknown or expired key.
    static let unauthorized = Self(.unauthorized, "Unauthorized", ["A valid API key is needed to access this resource"])

    static let forbidden = Self(
        .forbidden,
        "Forbidden",
        ["You do not have the necessary permissions to access this resource"]
    )

    /// 403 for a new key that would be limited less than the key that makes it.
    static let exceedsLimits = Self(
        .forbidden,
        "Forbidden",
        ["A key cannot be limited less than the key that creates or changes it"]
    )

    /// The response of version 2 to a request beyond the rate limit (Docs/Protocols/Cosm.md §2.5).
    static let rateLimited = Self(.forbidden, "Forbidden", ["Rate limit exceeded"])

    /// Returns the error for a write that exceeds one of ``CosmMaxima``.
    static func full(_ what: String) -> Self { Self(.forbidden, "Forbidden", ["No more \(what) can be stored"]) }

    /// Returns the error for a write that exceeds one of ``CosmMaxima`` for an account.
    static func fullForAccount(_ what: String) -> Self { full("\(what) of this account") }

    /// 413 for a request body that exceeds the limit.
    static let tooLong = Self(.contentTooLarge, "Request Entity Too Large", ["The body is too long"])

    /// 503 for a request body that exceeds the memory for bodies (``ServerLimits/collectedBytes``).
    static let noRoom = Self(.serviceUnavailable, "Service Unavailable", ["Too many bodies are being received"])

    static let notAcceptable = Self(
        HTTPResponse.Status(code: 406),
        "Not Acceptable",
        ["This resource does not exist in the requested format"]
    )

    /// 500 for an internal error.
    static let serverError = Self(.internalServerError, "Internal Server Error", ["The request could not be processed"])

    /// 503 if the store cannot be read or written now.
    static let storeUnavailable = {
        var failure = Self(.serviceUnavailable, "Service Unavailable", ["The store failed: try again later"])
        failure.retryAfter = StoreFault.retryAfter
        return failure
    }()

    /// Returns the failure for an error that is not a ``CosmFailure``.
    static func unexpected(_ error: any Error) -> Self {
        StoreFault.temporary(error) == nil ? .serverError : .storeUnavailable
    }

    /// Returns 400 for invalid query parameters.
    static func badParameter(_ reason: String) -> Self { Self(.badRequest, "Bad request", [reason]) }

    /// Returns 400 for a request body that cannot be read.
    static func unreadable(_ format: DocumentFormat, _ reason: String) -> Self {
        Self(.badRequest, "\(format.name) Parser Error", [reason])
    }

    /// Returns 400 for an invalid text.
    static func unusable(_ fault: TextFault, _ format: DocumentFormat) -> Self { unreadable(format, fault.reason) }

    static func invalidStamp(_ format: DocumentFormat) -> Self { unreadable(format, "Invalid timestamp") }

    /// Returns 422 for a well-formed request that breaks a rule.
    static func invalid(_ messages: [String]) -> Self {
        Self(HTTPResponse.Status(code: 422), "Unprocessable Entity", messages)
    }

    static func invalid(_ message: String) -> Self { invalid([message]) }
}
