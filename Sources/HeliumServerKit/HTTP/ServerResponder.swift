internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// From Hummingbird's request to its response: reads the body within its limits, asks the service whose path it is,
/// finishes the answer, and applies the faults that act on the transport.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerContext

    let protocols: [any ServerProtocol]
    let registry: ConnectionRegistry
    let faults: FaultControl
    let log: RequestLog
    let limits: ServerLimits
    let bodies: BodyBudget
    /// `http` or `https`.
    let scheme: String

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let watch = registry.requestArrived(on: context.channel)
        defer { watch?.requestEnded() }
        var head = ServerRequest(
            method: request.method,
            target: request.head.path ?? "/",
            host: Self.host(of: request, context.channel),
            socketScheme: scheme,
            fields: request.headers,
            body: [],
            address: Self.address(of: context.channel),
            faults: ActiveFaults()
        )
        guard !head.holdsLongMarkRun else {
            context.channel.closeSoon()
            return Response(status: .badRequest)
        }
        let path = head.path
        let active = faults.take(path: path)
        head.faults = active
        guard let service = protocols.first(where: { $0.handles(path) }) else { return Response(status: .notFound) }
        var share = bodies.share(isProved: false)
        defer { share.release() }
        var reply = try await reply(of: service, to: &head, request.body, &share, on: context.channel)
        if active.contains(.brokenDocument) { reply.body.removeLast(reply.body.count / 2) }
        log.append(LoggedRequest(method: request.method.rawValue, path: path, status: reply.status.code))
        reply = ReplyFinisher.finish(reply, method: request.method, fields: request.headers)
        if let delay = active.delay { try await context.channel.wait(TimeAmount(delay)) }
        if let stream = reply.stream { return response(for: reply, stream, context.channel, watch) }
        return response(for: reply, isCut: active.contains(.cut))
    }

    /// Has the service judge the head, reads the body if it may be read, and has the service answer.
    private func reply(
        of service: any ServerProtocol,
        to request: inout ServerRequest,
        _ body: RequestBody,
        _ share: inout BodyBudget.Share,
        on channel: any Channel
    ) async throws -> ServerReply {
        let reply: ServerReply
        let isDrained: Bool
        let declared = request.fields[.contentLength].flatMap { Int($0) }
        let admission =
            request.hasBody
            ? await service.admission(of: request, limits: limits)
            : .read(maximumBytes: limits.bodyBytes, isProved: false)
        switch admission {
        case .read(let maximumBytes, let isProved, let overflow):
            if let overflow, let declared, declared > maximumBytes {
                (reply, isDrained) = (overflow, false)
                break
            }
            share = bodies.share(isProved: isProved)
            let reader = BodyReader(time: limits.body, maximumBytes: maximumBytes, declaredBytes: declared)
            switch try await reader.read(body, from: &share, on: channel) {
            case .whole(let bytes):
                request.body = bytes
                return await service.respond(to: request)
            case .tooLong(let drained):
                (reply, isDrained) = (overflow ?? service.reply(to: .bodyTooLong, for: request.path), drained)
            case .noRoom(let drained):
                var refusal = service.reply(to: .noRoom, for: request.path)
                refusal.fields[.retryAfter] = String(RequestRefusal.retryAfter)
                (reply, isDrained) = (refusal, drained)
            }
        case .refused(let refusal):
            // A short body is read over, so that the connection can go on; nothing is waited for from a long one.
            let isShort = declared.map { $0 <= limits.bodyBytes } ?? (request.fields[.transferEncoding] == nil)
            let reader = BodyReader(time: limits.body, maximumBytes: limits.bodyBytes, declaredBytes: declared)
            (reply, isDrained) = (refusal, isShort ? try await reader.drain(body, on: channel) : false)
        }
        // What is still to come would be taken for the next request.
        if !isDrained { channel.closeSoon() }
        return reply
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
                // A client that takes nothing any more holds the write up.
                let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                defer { deadline.cancel() }
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            if stream.isCut { throw ConnectionCut() }
            try await writer.finish(nil)
        }
        return Response(status: reply.status, headers: reply.fields, body: body)
    }

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

    /// Ends the connection: Hummingbird closes it where writing a body fails.
    private struct ConnectionCut: Error {}

    /// What the client calls the server; without `Host`, as HTTP/1.0 allows, the address that it listens on.
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
    /// Waits for `time`, or until the connection closes or the task is cancelled, which throws.
    fileprivate func wait(_ time: TimeAmount) async throws {
        let timer = eventLoop.scheduleTask(in: time) {}
        closeFuture.whenComplete { _ in timer.cancel() }
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }

    /// Closes after a moment in which the answer reaches the client: closing at once with unread bytes in the socket
    /// would reset the connection and take the answer with it.
    fileprivate func closeSoon() {
        let timer = eventLoop.scheduleTask(in: .seconds(1)) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
    }
}

/// What Hummingbird tells of the connection under a request.
struct ServerContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
}
