internal import HTTPTypes

extension HeliumError {
    private static let passingKinds: Set<FailureKind> = [
        .connectionFailed, .connectionLost, .hostNotFound, .malformedResponse, .timedOut, .transportFailed,
    ]

    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request may succeed later, with nobody having changed anything on our side.
    var isWorthReconnecting: Bool {
        if let status, kind == .unacceptableStatus { return Self.passingStatuses.contains(status) }
        if kind == .registrationFailed, let cause = underlying as? HeliumError { return cause.isWorthReconnecting }
        return Self.passingKinds.contains(kind)
    }

    /// The seconds of `Retry-After` (RFC 9110 section 10.2.3), an hour at most.
    var retryAfter: Duration? {
        guard let text = head?[.retryAfter], !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        let seconds = Int64(text).map { Duration.seconds($0) } ?? ServerSentEventParser.longestRetry
        return min(seconds, ServerSentEventParser.longestRetry)
    }
}
