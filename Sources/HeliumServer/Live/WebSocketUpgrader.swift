internal import HeliumConcurrency
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import Synchronization

/// Turns a request of an HTTP/1.1 connection into a WebSocket, or refuses it: for any pipeline of NIO's upgrades, whatever
/// port it serves.
///
/// One handshake comes over a connection, so each connection has an upgrader of its own.
final class WebSocketUpgrader<Accepted: Sendable>: NIOTypedHTTPServerProtocolUpgrader {
    typealias UpgradeResult = Accepted?

    /// The response to a valid handshake.
    enum Decision: Sendable {
        /// The closure adds the handlers, on the channel's event loop.
        case accepted(@Sendable (any Channel) throws -> Accepted)
        case refused(LiveRefusal)
    }

    let supportedProtocol = "websocket"
    /// Named by ``WebSocketHandshake``, which knows how to refuse.
    let requiredUpgradeHeaders: [String] = []

    private let decide: @Sendable (LiveHandshake) async -> Decision
    private let decision = Guarded<Decision?>(nil)
    /// Proves that the key was read (RFC 6455 §4.2.2).
    private let proof = NIOTypedWebSocketServerUpgrader<Bool>(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededFuture(true) }
    )

    init(decide: @escaping @Sendable (LiveHandshake) async -> Decision) { self.decide = decide }

    /// The handshake was refused, or nobody has decided on it.
    private struct NotAccepted: Error {}

    func buildUpgradeResponse(
        channel: any Channel,
        upgradeRequest: HTTPRequestHead,
        initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        if let refusal = WebSocketHandshake.refusal(of: upgradeRequest) {
            decision.withLock { $0 = .refused(refusal) }
            return channel.eventLoop.makeFailedFuture(NotAccepted())
        }
        return channel.eventLoop.makeFutureWithTask { [self] in
            let handshake = LiveHandshake(target: upgradeRequest.uri, fields: upgradeRequest.headers)
            let decided = await decide(handshake)
            decision.withLock { $0 = decided }
            guard case .accepted = decided else { throw NotAccepted() }
        }
        .flatMap { [proof] in
            proof.buildUpgradeResponse(
                channel: channel,
                upgradeRequest: upgradeRequest,
                initialResponseHeaders: initialResponseHeaders
            )
        }
    }

    func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<Accepted?> {
        channel.eventLoop.makeCompletedFuture {
            guard case .accepted(let accept) = decision.withLock({ $0 }) else { throw NotAccepted() }
            return try accept(channel)
        }
    }

    /// Answers the request that did not become a WebSocket, and ends the connection.
    func refuse(_ channel: any Channel) -> EventLoopFuture<Accepted?> {
        channel.eventLoop.makeCompletedFuture {
            var refusal = LiveRefusal.upgradeRequired("this port speaks WebSocket only")
            if case .refused(let reason) = decision.withLock({ $0 }) { refusal = reason }
            try channel.pipeline.syncOperations.addHandler(UpgradeRefusal(refusal))
            return nil
        }
    }
}
