internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
public import HeliumCore
public import HeliumServer
internal import HeliumTesting
internal import Synchronization

/// A transport to an embedded server that does not listen. A request is a function call, without sockets or threads.
///
/// Use it for tests that run the server's own behavior many times, or that must be repeatable. With
/// `EmbeddedServerConfiguration.repeatable(clock:random:)` the responses depend only on the requests,
/// the clock and the random source. Use ``withEmbeddedServer(_:logger:isolation:_:)`` for tests that depend on
/// connections.
///
/// ```swift
/// let clock = TestClock()
/// let server = try EmbeddedServer(.repeatable(clock: clock, random: RandomSource { 4 }))
/// let transport = try InMemoryTransport(server, clock: clock)
/// var configuration = AppNetConfiguration(token: "alice-token", baseURL: transport.ready.appNet.root)
/// configuration.environment.clock = clock
/// configuration.environment.transport = transport
/// let client = try AppNetClient(configuration: configuration)
/// ```
///
/// It differs from a socket in these points:
/// - Responses are never compressed, and there is no HTTP/2.
/// - A request body that is streamed is read to its end before the server gets the request.
/// - A delay (`ServerFault.delay(_:)`) passes on the transport's clock.
/// - A cut (`ServerFault.cut`) is a failure of kind `connectionLost` whose delivery is `answered`.
/// - Responses without an end, such as App.net's streams over HTTP, fail with kind `transportFailed`.
/// - WebSockets and the background work of protocols are missing.
///
/// A request that the server has received takes effect even if its task is cancelled.
public final class InMemoryTransport: HTTPTransport {
    /// The server.
    public let server: EmbeddedServer
    /// The URLs under which requests reach the server, and its credentials.
    public let ready: ReadyInformation

    private let origin: Origin
    private let clock: any HeliumClock
    private let isShutDown = Guarded(false)

    /// Creates a transport to `server`, which must not be running. Several transports can share a server.
    ///
    /// - Parameters:
    ///   - server: The server. Its URLs have the host and the port of its configuration. Port 0 becomes port 80.
    ///   - clock: The clock for delays and for the `Date` field of responses. Default: the machine's clock.
    /// - Throws: `EmbeddedServerError` if the server was run, or if its host does not make a valid URL.
    public init(_ server: EmbeddedServer, clock: any HeliumClock = SystemClock()) throws {
        self.server = server
        self.clock = clock
        ready = try server.startInMemory()
        origin = try Origin(ready.http)
    }

    /// Passes `request` to the server and returns its response.
    ///
    /// - Throws: `TransportFailure`. Its kind is `connectionFailed` if the URL's origin is not that of the server.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard !Task.isCancelled else { throw .cancelled(.notSent) }
        guard !isShutDown.withLock({ $0 }) else {
            throw TransportFailure(.clientClosed, delivery: .notSent, message: "the client is closed")
        }
        guard request.url.origin == origin else {
            let message = "only the server at \(origin) can be reached in memory"
            throw TransportFailure(.connectionFailed, delivery: .notSent, message: message)
        }
        let body = try await request.collectedBody()
        let finished = try await reply(to: ServerRequest(request, bodyBytes: body?.count, server.scheme), body)
        try await wait(finished.delay, limit: request.timeouts.firstByte)
        return try await response(finished, to: request)
    }

    /// Makes later requests fail with `clientClosed`. The server and its other transports keep working.
    public func shutdown() async { isShutDown.withLock { $0 = true } }

    /// Runs the request in its own task, because cancelling a client does not stop a server.
    private func reply(to head: ServerRequest, _ body: Data?) async throws(TransportFailure) -> FinishedReply {
        let finished = Signal<FinishedReply>()
        let (handler, bytes) = (server.handler, BufferedBody(body.map { Array($0) } ?? []))
        Task {
            do {
                finished.settle(.success(try await handler.respond(to: head, bytes)))
            } catch {
                finished.settle(.failure(error))
            }
        }
        do {
            return try await finished.value()
        } catch {
            throw .cancelled(.maybeSent)
        }
    }

    private func wait(_ delay: Duration?, limit: Duration?) async throws(TransportFailure) {
        guard let delay else { return }
        let limit = limit ?? delay
        do {
            try await clock.sleep(for: min(delay, limit))
        } catch {
            throw .cancelled(.maybeSent)
        }
        guard delay <= limit else {
            let message = "the server took longer than \(limit) to respond"
            throw TransportFailure(.timedOut, delivery: .maybeSent, message: message, phase: .firstByte)
        }
    }

    private func response(
        _ finished: FinishedReply,
        to request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let reply = finished.reply
        if let stream = reply.stream {
            stream.finish()
            let message = "an endless response needs a server that listens on a socket"
            throw TransportFailure(.transportFailed, delivery: .answered, message: message)
        }
        var fields = reply.fields
        if reply.status == .noContent {
            fields[.contentLength] = nil
        } else if fields[.contentLength] == nil {
            fields[.contentLength] = String(reply.body.count)
        }
        if fields[.date] == nil {
            fields[.date] = HTTPDate.string(from: Date(timeIntervalSince1970: clock.wallTime / .seconds(1)))
        }
        let failure = finished.isCut ? TransportFailure.cut : nil
        let sent = finished.isCut ? reply.body.prefix(reply.body.count / 2) : reply.body[...]
        let response = TransportResponse.streaming(
            [Data(sent)],
            status: reply.status.code,
            fields: fields,
            failure: failure
        )
        return try await response.delivered(as: request.responseBody)
    }
}

extension TransportFailure {
    fileprivate static func cancelled(_ delivery: DeliveryState) -> Self {
        Self(.cancelled, delivery: delivery, message: "the call was cancelled")
    }

    fileprivate static let cut = Self(
        .connectionLost,
        delivery: .answered,
        message: "the connection ended before the response was complete"
    )
}
