import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A WebSocket server on NIO alone: what one client sends goes to all others as it is, and back to the sender as a reply
/// of the length of a reply.
final class BareFanOut: Sendable {
    private let listener: any Channel

    var port: Int { listener.localAddress?.port ?? 0 }

    init() async throws {
        let members = Members()
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 20,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FanOutHandler(members))
                }
            }
        )
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
                )
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func close() async throws { try await listener.close() }
}

/// The channels of all clients.
private final class Members: Sendable {
    let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
}

private final class FanOutHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let ping = Array(#""Ping""#.utf8)
    private static let reply = ByteBuffer(
        string: #"[{"type":"ScopeSyncReply","index":1000000,"replyTo":1000000,"fragmentReplies":[{}]}]"#
    )
    private let members: Members

    init(_ members: Members) { self.members = members }

    func channelActive(context: ChannelHandlerContext) { join(context.channel) }

    func handlerAdded(context: ChannelHandlerContext) { join(context.channel) }

    func channelInactive(context: ChannelHandlerContext) {
        members.channels.withLock { $0[ObjectIdentifier(context.channel)] = nil }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        let payload = frame.unmaskedData
        // Acknowledgements are not sent to the other members.
        guard payload.readableBytesView.firstRange(of: Self.ping) == nil else { return }
        let others = members.channels.withLock { channels in
            channels.values.filter { $0 !== context.channel }
        }
        for channel in others {
            channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: payload), promise: nil)
        }
        let reply = WebSocketFrame(fin: true, opcode: .text, data: Self.reply)
        context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
    }

    private func join(_ channel: any Channel) {
        members.channels.withLock { $0[ObjectIdentifier(channel)] = channel }
    }
}
