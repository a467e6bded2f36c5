/// Sends one request once: the only seam for I/O.
///
/// The package's own transport is `CurlTransport` (module `HeliumCurl`); tests use `MockTransport` (module
/// `HeliumTesting`) or their own.
///
/// ## What a transport must do
///
/// - **Send exactly what it is given, once.** It neither retries, nor follows redirects, nor changes a byte.
/// - **Report how far the request got.** ``TransportFailure/delivery`` is ``DeliveryState/notSent`` only if no byte left.
///   Callers repeat requests because of it.
/// - **End when its task is cancelled.** A request that has not left never leaves, one in flight is aborted, and
///   ``execute(_:)`` throws kind ``FailureKind/cancelled`` at once. The same holds for reading a streamed body.
/// - **Keep the limits of the phases** ``PhaseTimeouts/queue``, ``PhaseTimeouts/connect``, ``PhaseTimeouts/firstByte`` and
///   ``PhaseTimeouts/idle``, as far as it has these phases, and the ceilings of ``TransportRequest/limits`` and
///   ``ResponseBodyMode/collect(upTo:)``.
/// - **Tolerate concurrency.** ``execute(_:)`` is called from any number of tasks.
///
/// ## What the client does
///
/// The client decides about redirects, retries and statuses. It keeps the limit of the whole call,
/// ``PhaseTimeouts/total``, with its own clock and cancels the transfer's task when the time is over. A transport that
/// keeps this limit itself says so with ``keepsDeadlines``.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns its answer, whatever the status.
    ///
    /// - Returns: With ``ResponseBodyMode/collect(upTo:)`` the whole answer; with ``ResponseBodyMode/stream`` as soon as
    ///   its head is there, the body following as a back-pressured stream.
    /// - Throws: ``TransportFailure``, with kind ``FailureKind/cancelled`` if the calling task was cancelled.
    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse

    /// Ends everything the transport started: transfers in flight fail with ``FailureKind/clientClosed``, connections
    /// are closed, its thread ends. Returns when that is done. A second call returns at once.
    func shutdown() async

    /// A Boolean value that indicates whether the transport itself ends a transfer when the request's
    /// ``PhaseTimeouts/total`` has passed, and all transfers in ``shutdown()``. It must not change.
    ///
    /// Default: `false`, the client does both until the answer is there, for the price of two tasks for each transfer. The
    /// clock of such a limit is the client's, so a test can decide when it has passed.
    var keepsDeadlines: Bool { get }
}

extension HTTPTransport {
    /// `false`: the client keeps the limit of the whole call.
    public var keepsDeadlines: Bool { false }
}
