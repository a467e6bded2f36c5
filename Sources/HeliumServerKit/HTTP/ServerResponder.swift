internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1

/// Passes Hummingbird's requests to the request handler, sends its responses, and applies the faults that affect the
/// connection.
struct ServerResponder: Sendable {
    let handler: RequestHandler
    let registry: ConnectionRegistry
    /// The scheme: `http` or `https`.
    let scheme: String
    let dates = DateField()

    private var limits: ServerLimits { handler.limits }

    /// Responds to a request. Hummingbird calls this function.
    func serve(_ request: Request, _ writer: consuming ResponseWriter, on channel: any Channel) async throws {
        var response: Response
        do {
            response = try await respond(to: request, on: channel)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError, body: ResponseBody())
        }
        if response.headers[.date] == nil { response.headers[.date] = dates.text }
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // If the parser error was thrown, Hummingbird would write a second response.
            throw ResponseBroken()
        }
    }

    /// The error thrown when a request turns out to be malformed while its response is being written.
    private struct ResponseBroken: Error {}

    private func respond(to request: Request, on channel: any Channel) async throws -> Response {
        let watch = registry.requestArrived(on: channel)
        defer { watch?.requestEnded() }
        let head = ServerRequest(
            method: request.method,
            target: request.head.path ?? "/",
            host: Self.host(of: request, channel),
            socketScheme: scheme,
            fields: request.headers,
            address: Self.address(of: channel)
        )
        let finished = try await handler.respond(to: head, ChannelBody(body: request.body, channel: channel))
        if finished.closesConnection { channel.closeSoon() }
        if let delay = finished.delay { try await channel.wait(TimeAmount(delay)) }
        if let stream = finished.reply.stream { return response(for: finished.reply, stream, channel, watch) }
        return response(for: finished.reply, isCut: finished.isCut)
    }

    private func response(
        for reply: ServerReply,
        _ stream: ReplyStream,
        _ channel: any Channel,
        _ watch: ConnectionWatch?
    ) -> Response {
        let patience = TimeAmount(limits.idle)
        watch?.streamBegan(stream)
        channel.closeFuture.whenComplete { _ in stream.finish() }
        let body = ResponseBody { writer in
            let keepAlive = stream.keepAlive.map { keepAlive in
                let interval = TimeAmount(keepAlive.interval)
                return channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                    stream.sendIfIdle(keepAlive.bytes)
                }
            }
            defer {
                keepAlive?.cancel()
                stream.finish()
                watch?.streamEnded(stream)
            }
            while let bytes = await stream.next() {
                var rest = ByteBuffer(bytes: bytes)
                // A client that stops reading blocks the write. Each piece has its own time, so that a slow client that
                // reads is not cut off from a long event.
                while let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes)),
                    piece.readableBytes > 0
                {
                    let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                    defer { deadline.cancel() }
                    try await writer.write(piece)
                }
            }
            if stream.isCut { throw ConnectionCut() }
            try await writer.finish(nil)
        }
        return Response(status: reply.status, headers: reply.fields, body: body)
    }

    /// The number of bytes of a stream that are written at once.
    private static let pieceBytes = 16_384

    private func response(for reply: ServerReply, isCut: Bool) -> Response {
        if isCut {
            let half = ByteBuffer(bytes: reply.body.prefix(reply.body.count / 2))
            let body = ResponseBody(contentLength: reply.body.count) { writer in
                try await writer.write(half)
                throw ConnectionCut()
            }
            return Response(status: reply.status, headers: reply.fields, body: body)
        }
        let body = reply.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body))
        return Response(status: reply.status, headers: reply.fields, body: body)
    }

    /// The error that closes the connection. Hummingbird closes it when writing a body fails.
    private struct ConnectionCut: Error {}

    /// Returns the host that the client requests. Without a `Host` field, which HTTP/1.0 allows, it is the address that
    /// the server listens on.
    private static func host(of request: Request, _ channel: any Channel) -> String {
        if let host = request.head.authority, !host.isEmpty { return host }
        let local = channel.localAddress ?? channel.parent?.localAddress
        guard let address = local?.ipAddress, let port = local?.port else { return "" }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private static func address(of channel: any Channel) -> String {
        (channel.remoteAddress ?? channel.parent?.remoteAddress)?.ipAddress ?? ""
    }
}

extension Channel {
    /// Waits for `time`. Throws if the connection closes or the task is cancelled before.
    fileprivate func wait(_ time: TimeAmount) async throws {
        let timer = eventLoop.scheduleTask(in: time) {}
        closeFuture.whenComplete { _ in timer.cancel() }
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }

    /// Closes the connection after one second, so that the response can reach the client. Closing at once while the
    /// socket has unread bytes would reset the connection, and the response could be lost.
    fileprivate func closeSoon() {
        let timer = eventLoop.scheduleTask(in: .seconds(1)) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
    }
}

/// The body of a request on a connection.
private struct ChannelBody: IncomingBody {
    let body: RequestBody
    let channel: any Channel

    var chunks: some AsyncSequence<ByteBufferView, any Error> { body.map(\.readableBytesView) }

    func limited<Value>(
        to limit: Duration,
        _ read: (_ extend: (Duration) -> Void) async throws -> Value
    ) async throws -> Value {
        let deadline = BodyDeadline(channel: channel, limit: TimeAmount(limit))
        deadline.start()
        defer { deadline.stop() }
        return try await read { deadline.extend(by: TimeAmount($0)) }
    }
}
