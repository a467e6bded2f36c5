internal import NIOCore
internal import NIOHTTP1

/// Answers what is no WebSocket handshake for `/` on the WebSocket's port, and ends the connection.
final class UpgradeRefusal: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        var fields = HTTPHeaders()
        fields.add(name: "Upgrade", value: "websocket")
        fields.add(name: "Connection", value: "close")
        fields.add(name: "Content-Length", value: "0")
        let head = HTTPResponseHead(version: .http1_1, status: .upgradeRequired, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
