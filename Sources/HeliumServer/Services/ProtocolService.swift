/// One of the protocols that the server speaks. Each has its folder and its member in the ready line.
protocol ProtocolService: Sendable {
    /// Whether requests for `path` (without a query, as encoded) are this service's.
    func handles(_ path: Substring) -> Bool

    /// The answer to a request for `path` whose body is longer than the wire's ceiling, in the protocol's own form.
    func bodyTooLong(for path: Substring) -> ServerReply

    /// The longest body of requests for `path`, in bytes as they come over the wire.
    func bodyBytes(for path: Substring, limits: ServerLimits) -> Int

    /// Answers a request. Failures are answers too.
    func respond(to request: ServerRequest) async -> ServerReply
}

extension ProtocolService {
    func bodyBytes(for path: Substring, limits: ServerLimits) -> Int { limits.bodyBytes }
}
