internal import HTTPTypes

extension HeliumError {
    private static let passingKinds: Set<FailureKind> = [
        .connectionFailed, .connectionLost, .hostNotFound, .malformedResponse, .timedOut, .transportFailed,
    ]

    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request may succeed later, with nobody having changed anything on our side.
    package var isWorthReconnecting: Bool {
        if let status, kind == .unacceptableStatus { return Self.passingStatuses.contains(status) }
        if kind == .registrationFailed, let cause = underlying as? HeliumError { return cause.isWorthReconnecting }
        return Self.passingKinds.contains(kind)
    }

    /// The pause that the server asked for, an hour at most.
    ///
    /// - Parameter now: The wall-clock time.
    func retryAfter(now: Duration) -> Duration? {
        head.flatMap { ServerDelay.read(from: $0, now: now) }.map { min($0, ServerSentEventParser.longestRetry) }
    }
}
