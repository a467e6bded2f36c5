internal import HTTPTypes

/// Names that are safe as labels because they come from fixed lists, whatever callers and servers send.
enum BoundedName {
    /// The methods of RFC 9110 §9.3, and `PATCH` (RFC 5789).
    static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    /// Returns a method, or `_OTHER` as in OpenTelemetry's conventions.
    static func of(_ method: HTTPRequest.Method) -> String {
        methods.contains(method.rawValue) ? method.rawValue : "_OTHER"
    }

    /// The kinds of this package. A test compares them with their declarations.
    static let kinds: Set<FailureKind> = [
        .invalidConfiguration, .invalidRequest, .encodingFailed, .cancelled, .clientClosed, .timedOut, .hostNotFound,
        .connectionFailed, .tlsFailed, .connectionLost, .malformedResponse, .ceilingExceeded, .requestBodyFailed,
        .transportFailed, .unacceptableStatus, .decodingFailed, .redirectRefused, .fileFailed, .integrityFailed,
        .emptyResponse, .closedByPeer, .protocolViolated, .interceptorFailed, .authorizationFailed, .registrationFailed,
        .tokenStoreFailed, .clockCorrectionRefused,
    ]

    /// Returns a kind of this package, or `other`.
    static func of(_ kind: FailureKind) -> String { kinds.contains(kind) ? kind.rawValue : "other" }

    /// The reasons of this package. A test compares them with their declarations.
    static let reasons: Set<RetryReason> = [
        .clockCorrected, .credentialReplaced, .serverUnavailable, .rateLimited, .connectionFailed, .staleConnection,
        .timedOut, .redirected,
    ]

    /// Returns a reason of this package, or `other`.
    static func of(_ reason: RetryReason) -> String { reasons.contains(reason) ? reason.rawValue : "other" }

    /// Returns the class of a status, such as `2xx`, or `other` for an invalid status.
    static func of(status: Int) -> String {
        switch status {
        case 100..<200: "1xx"
        case 200..<300: "2xx"
        case 300..<400: "3xx"
        case 400..<500: "4xx"
        case 500..<600: "5xx"
        default: "other"
        }
    }
}
