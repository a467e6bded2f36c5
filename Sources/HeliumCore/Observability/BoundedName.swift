internal import HTTPTypes

/// Names that are safe as labels: from lists of ours, whatever callers and servers come up with.
enum BoundedName {
    /// The methods of RFC 9110 section 9.3, and `PATCH` (RFC 5789).
    static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    /// A method, or `_OTHER` as OpenTelemetry's conventions have it.
    static func of(_ method: HTTPRequest.Method) -> String {
        methods.contains(method.rawValue) ? method.rawValue : "_OTHER"
    }

    /// The kinds of this package; a test holds them against their declarations.
    static let kinds: Set<FailureKind> = [
        .invalidConfiguration, .invalidRequest, .encodingFailed, .cancelled, .clientClosed, .timedOut, .hostNotFound,
        .connectionFailed, .tlsFailed, .connectionLost, .malformedResponse, .ceilingExceeded, .requestBodyFailed,
        .transportFailed, .unacceptableStatus, .decodingFailed, .redirectRefused, .fileFailed, .integrityFailed,
        .emptyResponse, .closedByPeer, .protocolViolated, .interceptorFailed, .authorizationFailed, .registrationFailed,
        .tokenStoreFailed, .clockCorrectionRefused,
    ]

    /// A kind of ours, or `other`.
    static func of(_ kind: FailureKind) -> String { kinds.contains(kind) ? kind.rawValue : "other" }

    /// The reasons of this package; a test holds them against their declarations.
    static let reasons: Set<RetryReason> = [
        .clockCorrected, .credentialReplaced, .serverUnavailable, .rateLimited, .connectionFailed, .staleConnection,
        .timedOut, .redirected,
    ]

    /// A reason of ours, or `other`.
    static func of(_ reason: RetryReason) -> String { reasons.contains(reason) ? reason.rawValue : "other" }

    /// `2xx` and so on; `other` for what is no status.
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
