extension HeliumError {
    /// Whether another attempt may help after this error, although nothing has changed on this side.
    ///
    /// `true` if the cause is the network, the peer's state, or overload:
    /// - ``FailureKind/connectionFailed``, ``FailureKind/connectionLost``, ``FailureKind/hostNotFound``,
    ///   ``FailureKind/malformedResponse``, ``FailureKind/timedOut`` and ``FailureKind/transportFailed``;
    /// - ``FailureKind/closedByPeer`` and ``FailureKind/protocolViolated`` of a live connection;
    /// - ``FailureKind/unacceptableStatus`` with the status 408, 425, 429, 500, 502, 503 or 504;
    /// - ``FailureKind/ceilingExceeded`` with ``Ceiling/queuedRequests``;
    /// - ``FailureKind/registrationFailed`` if the error that it was caused by is transient.
    ///
    /// `false` for all others, for example after the status 401 or for a certificate that is not trusted.
    ///
    /// It does not mean that it is safe to repeat the request; ``delivery`` shows whether the request was sent. The
    /// retries of a call follow its ``RetryPolicy`` instead.
    public var isTransient: Bool {
        switch kind {
        case .connectionFailed, .connectionLost, .hostNotFound, .malformedResponse, .timedOut, .transportFailed,
            .closedByPeer, .protocolViolated:
            true
        case .unacceptableStatus: [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .ceilingExceeded: ceiling == .queuedRequests
        case .registrationFailed: (underlying as? HeliumError)?.isTransient ?? false
        default: false
        }
    }
}
