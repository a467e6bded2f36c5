internal import HTTPTypes

/// Responds to requests, in the same way over sockets, in memory and in measurements.
///
/// It determines the faults of the request, reads the body within its limits, calls the protocol that owns the path,
/// logs the request and finishes the response. The transport applies delays, cuts and streams.
package struct RequestHandler: Sendable {
    let protocols: [any ServerProtocol]
    let faults: FaultControl
    let log: RequestLog
    let limits: ServerLimits
    let bodies: BodyBudget

    /// Responds to a request.
    ///
    /// - Parameters:
    ///   - head: The request with an empty body and without faults.
    ///   - body: The body, of which nothing has been read.
    /// - Throws: The error of reading the body.
    package func respond(to head: ServerRequest, _ body: some IncomingBody) async throws -> FinishedReply {
        guard !head.holdsLongMarkRun else {
            return FinishedReply(reply: ServerReply(status: .badRequest), closesConnection: true)
        }
        var request = head
        let path = head.path
        let active = faults.take(method: head.method.rawValue, path: path)
        request.faults = active
        guard let service = protocols.first(where: { $0.handles(path) }) else {
            return FinishedReply(reply: ServerReply(status: .notFound))
        }
        var share = bodies.share(isProved: false)
        defer { share.release() }
        var (reply, isDrained) = try await reply(of: service, to: &request, body, &share)
        if active.contains(.brokenDocument) { reply.body.removeLast(reply.body.count / 2) }
        log.append(LoggedRequest(method: head.method.rawValue, path: path, status: reply.status.code))
        return FinishedReply(
            reply: ReplyFinisher.finish(reply, method: head.method, fields: head.fields),
            delay: active.delay,
            isCut: active.contains(.cut),
            closesConnection: !isDrained
        )
    }

    /// Asks the service for a decision on the head, reads the body if it is admitted, and asks the service for the
    /// response.
    ///
    /// - Returns: The response, and whether the body was read to its end.
    private func reply(
        of service: any ServerProtocol,
        to request: inout ServerRequest,
        _ body: some IncomingBody,
        _ share: inout BodyBudget.Share
    ) async throws -> (ServerReply, isDrained: Bool) {
        let declared = request.fields[.contentLength].flatMap { Int($0) }
        let admission =
            request.hasBody
            ? await service.admission(of: request, limits: limits)
            : .read(maximumBytes: limits.bodyBytes, isProved: false)
        switch admission {
        case .read(let maximumBytes, let isProved, let overflow):
            if let overflow, let declared, declared > maximumBytes { return (overflow, false) }
            share = bodies.share(isProved: isProved)
            let reader = BodyReader(limits, maximumBytes: maximumBytes, declaredBytes: declared)
            switch try await reader.read(body, from: &share) {
            case .whole(let bytes):
                request.body = bytes
                return (await service.respond(to: request), true)
            case .tooLong(let isDrained):
                return (overflow ?? service.reply(to: .bodyTooLong, for: request), isDrained)
            case .noRoom(let isDrained):
                var refusal = service.reply(to: .noRoom, for: request)
                refusal.fields[.retryAfter] = String(RequestRefusal.retryAfter)
                return (refusal, isDrained)
            }
        case .refused(let refusal):
            // A short body is read and discarded, so that the connection can be reused. A long body is not read.
            let isShort = declared.map { $0 <= limits.bodyBytes } ?? (request.fields[.transferEncoding] == nil)
            let reader = BodyReader(limits, maximumBytes: limits.bodyBytes, declaredBytes: declared)
            return (refusal, isShort ? try await reader.drain(body) : false)
        }
    }
}

/// A finished response, with instructions for its transport.
package struct FinishedReply: Sendable {
    package let reply: ServerReply
    /// The delay before the first byte of the response; `nil` without a fault.
    package var delay: Duration?
    /// Whether the connection closes in the middle of the body.
    package var isCut = false
    /// Whether the connection closes after the response, because unread bytes of the body would be parsed as the next
    /// request.
    package var closesConnection = false
}

extension EmbeddedServer {
    /// The handler that responds to requests.
    package var handler: RequestHandler {
        RequestHandler(
            protocols: protocols,
            faults: faults,
            log: requests,
            limits: configuration.limits,
            bodies: bodies
        )
    }
}
