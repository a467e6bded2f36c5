public import HeliumCore
internal import Synchronization

/// HTTP over libcurl: one loop thread, kept connections, HTTP/1.1 and HTTP/2.
///
/// What is given is sent byte for byte: the request target is not normalised, and of libcurl's own fields only `Host`,
/// `Content-Length` and, before a body of unknown length over HTTP/1.1, `Transfer-Encoding` go out. Redirects are not
/// followed, nothing is sent twice, cookies and proxies are not used.
///
/// Every request has a field `Accept-Encoding`: `gzip, deflate`, or `identity` where
/// `TransportRequest.acceptsContentCodings` is `false`. A body in gzip or deflate is decoded, asked for or not. One that
/// ends before its coding does fails with kind `malformedResponse`, as does any other coding. So do a body that only the
/// end of a TLS connection could end where that end was not announced (close_notify), different or unusable lengths, and
/// transfer codings other than `chunked`.
///
/// The thread starts with the first request. ``shutdown()`` ends it and everything under way; so does letting go of the
/// transport, but without waiting. A stream that is still read keeps its transport open.
///
/// A body that is read while it is sent is asked for only as fast as the network takes it. What an answer with a
/// failure's status leaves unsent is not sent, and the connection is not used again.
///
/// A call that was cancelled does not wait for a name look-up that is under way. Such a look-up can't be interrupted: it
/// ends by the system resolver's own limits, on a thread of libcurl's that ``shutdown()`` does not wait for.
public final class CurlTransport: HTTPTransport {
    let loop: TransferLoop

    /// A transport; no connection is made, no thread started yet.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - onLongJob: Called on the loop's thread, after each job of ``taskExecutor`` that has held the loop for more than 5 ms, with
    ///     the time that it took. Default: `nil`.
    public init(
        _ configuration: Configuration = Configuration(),
        onLongJob: (@Sendable (Duration) -> Void)? = nil
    ) {
        loop = TransferLoop(configuration: configuration, onLongJob: onLongJob)
    }

    deinit { loop.abandon() }

    /// `true`: the loop ends a transfer at its limit.
    public var keepsDeadlines: Bool { true }

    /// How often the loop has turned: stands still while nothing is under way.
    package var loopTurns: Int { loop.turn.turns.load(ordering: .relaxed) }

    /// Sends `request` and returns its answer, whatever the status.
    ///
    /// - Throws: `TransportFailure`; of kind `cancelled` if the calling task was cancelled, of kind `clientClosed` after
    ///   ``shutdown()``, of kind `invalidRequest` where the request can't be put on the wire as it is.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let slot = try loop.acquire()
        do throws(TransportFailure) {
            try slot.prepare(request)
        } catch {
            loop.release(slot)
            throw error
        }
        if let upload = request.upload { try await feed(slot, from: upload, of: request) }
        return if request.responseBody == .stream {
            try await executeStream(slot)
        } else {
            try await executeCollected(slot)
        }
    }

    private func executeCollected(_ slot: TransferSlot) async throws(TransportFailure) -> TransportResponse {
        await run(slot, generation: slot.generation)
        _ = slot.handOver.load(ordering: .acquiring)
        let failure = slot.failure
        let response = failure == nil ? slot.takeResponse() : nil
        loop.release(slot)
        if let response { return response }
        throw failure ?? TransferLoop.closed
    }

    private func executeStream(_ slot: TransferSlot) async throws(TransportFailure) -> TransportResponse {
        let generation = slot.generation
        let stream = StreamSource(transport: self, slot: slot, generation: generation)
        slot.stream = stream
        await run(slot, generation: generation)
        return try stream.response()
    }

    private func run(_ slot: TransferSlot, generation: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.waiter = continuation
                loop.submit(slot)
            }
        } onCancel: {
            loop.cancel(slot, generation)
        }
    }

    /// Fails everything under way with kind `clientClosed`, closes the connections and ends the thread.
    ///
    /// Returns when that is done. Safe to call at any time, more than once.
    public func shutdown() async { await loop.shutdown() }
}
