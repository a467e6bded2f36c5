/// One of the protocols that the server speaks. Each has its folder and its member in the ready line.
protocol ProtocolService: Sendable {
    /// Whether requests for `path` (without a query, as encoded) belong to this service.
    func handles(_ path: Substring) -> Bool

    /// The response to a request for `path` that was not served for a reason that has nothing to do with the protocol, in
    /// the protocol's own form.
    func reply(to refusal: RequestRefusal, for path: Substring) -> ServerReply

    /// Judges a request by its head, before its body is read.
    ///
    /// - Parameter head: the request with an empty body
    func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission

    /// Answers a request. Failures are answers too.
    func respond(to request: ServerRequest) async -> ServerReply
}

extension ProtocolService {
    func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        BodyAdmission.read(maximumBytes: limits.bodyBytes, isProved: false)
    }
}

/// The reason why the server does not serve a request.
enum RequestRefusal: Hashable, Sendable {
    /// 413: the body is longer than the ceiling.
    case bodyTooLong
    /// 503: all connections together hold as much of bodies as they may (``ServerLimits/collectedBytes``).
    case noRoom

    /// The seconds after which a client may try again.
    static let retryAfter = 1
}

/// The decision on a request's body.
enum BodyAdmission: Sendable {
    /// The body is read.
    ///
    /// - Parameters:
    ///   - maximumBytes: the longest body
    ///   - isProved: whether the head has proved who sends the request
    ///   - overflow: the response to a longer body; `nil`: that to ``RequestRefusal/bodyTooLong``
    case read(maximumBytes: Int, isProved: Bool, overflow: ServerReply? = nil)
    /// The body is not read, and the request is answered with this.
    case refused(ServerReply)
}
