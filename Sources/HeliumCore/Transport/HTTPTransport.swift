/// Sends one request once: the only seam for I/O.
///
/// A transport neither retries, nor follows redirects, nor changes a byte of what it is given. It reports exactly how
/// far the request got. Cancelling the calling task ends the transfer: a request that has not left never leaves, one in
/// flight is aborted at once.
///
/// The package's own transport is `CurlTransport` (module `HeliumCurl`); tests use `MockTransport` (module
/// `HeliumTesting`) or their own.
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
}
