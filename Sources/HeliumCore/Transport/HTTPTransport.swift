/// A transport that sends one request once. All I/O goes through it.
///
/// The package's own transport is `CurlTransport` (module `HeliumCurl`); tests use `MockTransport` (module
/// `HeliumTesting`) or their own.
///
/// ## Requirements for a transport
///
/// - **Send exactly the given request, once.** It neither retries, nor follows redirects, nor changes a byte.
///   It may send the request again only if the server certainly did not process it.
/// - **Report the delivery state.** ``TransportFailure/delivery`` is ``DeliveryState/notSent`` only if no byte was
///   sent, or the server has said that it did not process the request. Callers repeat requests because of it.
/// - **Hand over an incomplete response.** If a transfer fails after the header section was received, for example because
///   the body is cut or too long, ``TransportFailure/response`` has the head. The client can then refresh a rejected
///   credential, follow a redirect or wait for `Retry-After`.
/// - **End when its task is cancelled.** A request that has not been sent yet is never sent, one in flight is aborted,
///   and ``execute(_:)`` throws kind ``FailureKind/cancelled`` at once. The same holds for reading a streamed body.
/// - **Enforce the limits of the phases** ``PhaseTimeouts/queue``, ``PhaseTimeouts/connect``,
///   ``PhaseTimeouts/firstByte`` and ``PhaseTimeouts/idle``, as far as it has these phases, and the limits of
///   ``TransportRequest/limits`` and ``ResponseBodyMode/collect(upTo:)``.
/// - **Tolerate concurrency.** ``execute(_:)`` is called from any number of tasks.
///
/// ## Behavior of the client
///
/// The client decides about redirects, retries and statuses. It enforces the limit of the whole call,
/// ``PhaseTimeouts/total``, with its own clock and cancels the transfer's task when the time has passed. A transport
/// that enforces this limit itself returns `true` from ``keepsDeadlines``.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns its response, whatever the status.
    ///
    /// - Returns: With ``ResponseBodyMode/collect(upTo:)`` the complete response. With ``ResponseBodyMode/stream`` the
    ///   response as soon as its head has arrived; the body follows as a stream with back-pressure.
    /// - Throws: ``TransportFailure``, with kind ``FailureKind/cancelled`` if the calling task was cancelled.
    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse

    /// Ends everything that the transport has started: transfers in flight fail with ``FailureKind/clientClosed``,
    /// connections are closed, and its thread ends. Returns when all of that is done. A second call returns at once.
    func shutdown() async

    /// A Boolean value that indicates whether the transport itself ends a transfer when the request's
    /// ``PhaseTimeouts/total`` has passed, and all transfers in ``shutdown()``. It must not change.
    ///
    /// Default: `false`, with which the client does both until the response has arrived, at the cost of two tasks for
    /// each transfer. The client's clock measures such a limit, so a test can decide when it has passed.
    var keepsDeadlines: Bool { get }
}

extension HTTPTransport {
    /// `false`: the client enforces the limit of the whole call.
    public var keepsDeadlines: Bool { false }
}
