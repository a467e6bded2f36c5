internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// Decides on requests of the HTTP port that ask for a WebSocket. It finds the protocol that owns the endpoint and asks
/// it.
struct LiveUpgrades: Sendable {
    let protocols: [any ServerProtocol]
    let registry: ConnectionRegistry
    /// The scheme: `http` or `https`.
    let scheme: String

    /// Adds the handlers of an accepted WebSocket, on the channel's event loop.
    typealias Acceptance = @Sendable (any Channel) throws -> ServerConnection.Conversation

    /// The decision on a handshake.
    enum Decision: Sendable {
        case accepted(Acceptance)
        /// The request gets this response, and the connection closes after it.
        case refused(ServerReply)
    }

    /// Returns whether a request asks for a WebSocket at an endpoint that has one. Other requests are served over HTTP,
    /// whatever upgrade they ask for.
    func isHandshake(_ head: HTTPRequestHead) -> Bool {
        WebSocketHandshake.isAsked(by: head) && owner(of: head) != nil
    }

    private func owner(of head: HTTPRequestHead) -> (any ServerProtocol)? {
        let path = ServerRequest.path(of: head.uri)
        return protocols.first { $0.hasLiveEndpoint(at: path) }
    }

    func decision(on head: HTTPRequestHead, over channel: any Channel) async -> Decision {
        guard let owner = owner(of: head), let live = owner.live else {
            return .refused(ServerReply(status: .notFound))
        }
        guard !head.holdsLongMarkRun else { return .refused(ServerReply(status: .badRequest)) }
        if let refusal = WebSocketHandshake.refusal(of: head) { return .refused(refusal) }
        let request = ServerRequest(
            method: .get,
            target: head.uri,
            host: head.headers["Host"].first ?? "",
            socketScheme: scheme,
            fields: HTTPFields(head.headers, splitCookie: false),
            body: [],
            address: channel.remoteAddress?.ipAddress ?? "",
            faults: ActiveFaults()
        )
        switch await owner.admission(of: request) {
        case .refused(let refusal): return .refused(refusal)
        case .session(let session, let isAuthenticated):
            // Check the limits before the handshake is accepted, so that a rejected client gets the reason.
            guard live.channels.admit(channel), !isAuthenticated || live.channels.authenticate(channel) else {
                return .refused(LiveAdmission.full)
            }
            return .accepted { [registry] channel in
                registry.released(channel)
                return .live(live, try live.setUp(channel, session, isAuthenticated: isAuthenticated))
            }
        }
    }
}
