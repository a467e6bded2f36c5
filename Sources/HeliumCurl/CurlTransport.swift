public import HeliumCore
internal import HeliumWire
internal import Synchronization

/// An HTTP transport with one loop thread, connection reuse, HTTP/1.1 and HTTP/2. libcurl makes its connections, and the
/// transport speaks HTTP on them.
///
/// Requests are sent byte for byte. The request target is not normalized. The transport adds `Host`, `Accept-Encoding` and,
/// before a body, `Content-Length` or, over HTTP/1.1 if the length is unknown, `Transfer-Encoding`. It does not follow
/// redirects, and uses neither cookies nor proxies. (A WebSocket on its loop may have a proxy of its own.)
///
/// A call is sent again at once, without an attempt of the retry policy, only if the server did not process it for certain:
/// nothing of it was written, because the idle connection had ended or did not answer; or the server has refused its HTTP/2
/// stream, is going away (GOAWAY), or requires HTTP/1.1. That happens at most once for each lost connection, and at most 16
/// times for a call, to which idle connections that had ended or did not answer do not count.
///
/// Every request has a field `Accept-Encoding`: `gzip, deflate`, or `identity` if
/// `TransportRequest.acceptsContentCodings` is `false`. A body in gzip or deflate is decoded even if the request did
/// not offer that coding. A response fails with kind `malformedResponse` in these cases:
/// - The body ends before its content coding does.
/// - The content coding is neither gzip nor deflate.
/// - Only the end of a TLS connection marks the end of the body, and the peer did not announce it (close_notify).
/// - The response has different or invalid lengths.
/// - The transfer coding is not `chunked`.
/// - The response violates HTTP in another way. `Docs/Protocols/HTTP.md` lists what is accepted.
///
/// An idle connection on which anything arrives is closed and never used again, so no call gets the response of another.
///
/// The thread starts with the first request. ``shutdown()`` ends the thread and all transfers. Releasing the transport
/// does the same without waiting. A stream that is still being read keeps its transport open.
///
/// A body that is read while it is sent is read only as fast as the network takes it. If a response with an error
/// status arrives, the rest of the body is not sent and the connection is not reused.
///
/// A cancelled call does not wait for a pending name lookup. Such a lookup can't be interrupted. It ends within the
/// limits of the system resolver, on a thread of libcurl's that ``shutdown()`` does not wait for.
public final class CurlTransport: HTTPTransport {
    let loop: TransferLoop

    /// Creates a transport. It opens no connection and starts no thread yet.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the connections.
    ///   - onLongJob: A closure that is called on the loop's thread after each job of ``taskExecutor`` that held the
    ///     loop for more than 5 ms, with the duration of the job. Default: `nil`.
    public init(
        _ configuration: Configuration = Configuration(),
        onLongJob: (@Sendable (Duration) -> Void)? = nil
    ) {
        loop = TransferLoop(configuration: configuration, onLongJob: onLongJob)
    }

    /// Creates a transport whose connections have other times.
    package init(_ configuration: Configuration, times: ConnectionTimes) {
        loop = TransferLoop(configuration: configuration, times: times)
    }

    /// Creates a transport for a simulation, which runs the worker of its loop.
    init(_ configuration: Configuration, times: ConnectionTimes, driver: any LoopDriver) {
        loop = TransferLoop(configuration: configuration, times: times, driver: driver)
    }

    deinit { loop.abandon() }

    /// A Boolean value that indicates whether the transport enforces time limits itself. It is always `true`: the loop
    /// ends a transfer at its limit.
    public var keepsDeadlines: Bool { true }

    /// The number of turns of the loop. It does not change while nothing happens on the connections.
    package var loopTurns: Int { loop.turn.turns.load(ordering: .relaxed) }

    /// Sends `request` and returns the response, whatever its status.
    ///
    /// - Throws: `TransportFailure`, of kind `cancelled` if the calling task was cancelled, of kind `clientClosed`
    ///   after ``shutdown()``, and of kind `invalidRequest` if the request can't be sent unchanged.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if let upload = request.upload, upload.isReplayable { return try await executeReplaying(request) }
        return try await executeOnce(request)
    }

    func executeOnce(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let slot = try prepared(for: request)
        if let upload = request.upload { try await feed(slot, from: upload, of: request) }
        if request.responseBody == .stream { return try await executeStream(slot) }
        await run(slot, generation: slot.generation)
        return try response(releasing: slot)
    }

    // The parts that can throw, and those for rare requests, are not inlined, so that the frame of every request need
    // not have room for their values.

    @inline(never)
    private func prepared(for request: TransportRequest) throws(TransportFailure) -> TransferSlot {
        let slot = try loop.acquire()
        do throws(TransportFailure) {
            try slot.prepare(request)
        } catch {
            loop.release(slot)
            throw error
        }
        return slot
    }

    @inline(never)
    private func response(releasing slot: TransferSlot) throws(TransportFailure) -> TransportResponse {
        _ = slot.handOver.load(ordering: .acquiring)
        guard slot.isComplete else { throw failure(releasing: slot) }
        let response = slot.takeResponse()
        loop.release(slot)
        return response
    }

    private func failure(releasing slot: TransferSlot) -> TransportFailure {
        defer { loop.release(slot) }
        guard let failure = slot.failure else { return TransferLoop.closed }
        return slot.head.isComplete ? failure.ending(slot.takeResponse()) : failure
    }

    @inline(never)
    private func executeStream(_ slot: TransferSlot) async throws(TransportFailure) -> TransportResponse {
        let generation = slot.generation
        let stream = StreamSource(transport: self, slot: slot, generation: generation)
        slot.stream = stream
        await run(slot, generation: generation)
        return try stream.response()
    }

    private func run(_ slot: TransferSlot, generation: UInt64) async {
        await withTaskCancellationHandler {
            #if DEBUG
                await withCheckedContinuation { submit(slot, for: $0) }
            #else
                await withUnsafeContinuation { submit(slot, for: $0) }
            #endif
        } onCancel: {
            loop.cancel(slot, generation)
        }
    }

    private func submit(_ slot: TransferSlot, for waiter: TransferSlot.Waiter) {
        slot.waiter = waiter
        loop.submit(slot)
    }

    /// Fails all transfers with kind `clientClosed`, closes the connections and ends the thread.
    ///
    /// Returns when that is done. It can be called at any time and more than once.
    public func shutdown() async { await loop.shutdown() }
}
