internal import HTTPTypes
internal import HeliumServerKit

/// A refusal, as the client gets to read it (§2.4).
struct CosmFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let errors: [String]

    init(_ status: HTTPResponse.Status, _ title: String, _ errors: [String]) {
        self.status = status
        self.title = title
        self.errors = errors
    }
}

extension CosmFailure {
    /// 404 for what does not exist, or what this key may not know of.
    static let notFound = Self(
        .notFound,
        "Not found",
        ["I'm sorry we are unable to find the resource you are looking for."]
    )

    /// 404 for a path or a method that does not exist, in the service's own words (`/api` was its inner root). What
    /// follows `keys` may be a key, which no message repeats.
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

    /// v2's answer where the rate limit is exceeded (§2.5).
    static let rateLimited = Self(.forbidden, "Forbidden", ["Rate limit exceeded"])

    /// A write beyond one of ``CosmMaxima``.
    static func full(_ what: String) -> Self { Self(.forbidden, "Forbidden", ["No more \(what) can be stored"]) }

    /// 413 for a body beyond the ceiling.
    static let tooLong = Self(.contentTooLarge, "Request Entity Too Large", ["The body is too long"])

    /// 503 for a body that the server has no room for (``ServerLimits/collectedBytes``).
    static let noRoom = Self(.serviceUnavailable, "Service Unavailable", ["Too many bodies are being received"])

    static let notAcceptable = Self(
        HTTPResponse.Status(code: 406),
        "Not Acceptable",
        ["This resource does not exist in the requested format"]
    )

    /// 500 for a failure of the server itself.
    static let serverError = Self(.internalServerError, "Internal Server Error", ["The server could not do it"])

    /// 400 for parameters of the query.
    static func badParameter(_ reason: String) -> Self { Self(.badRequest, "Bad request", [reason]) }

    /// 400 for a body that does not say what it should.
    static func unreadable(_ format: DocumentFormat, _ reason: String) -> Self {
        Self(.badRequest, "\(format.name) Parser Error", [reason])
    }

    /// 400 for a text that cannot be used.
    static func unusable(_ fault: TextFault, _ format: DocumentFormat) -> Self { unreadable(format, fault.reason) }

    static func invalidStamp(_ format: DocumentFormat) -> Self { unreadable(format, "Invalid timestamp") }

    /// 422 for what is well-formed and breaks a rule.
    static func invalid(_ messages: [String]) -> Self {
        Self(HTTPResponse.Status(code: 422), "Unprocessable Entity", messages)
    }

    static func invalid(_ message: String) -> Self { invalid([message]) }
}
