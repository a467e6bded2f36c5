internal import NIOCore
internal import NIOHTTP1

/// Answers a request on a WebSocket's port that does not become one, and ends the connection. The request's body, if there
/// is one, does not count any more.
final class UpgradeRefusal: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: LiveRefusal

    init(_ refusal: LiveRefusal) { self.refusal = refusal }

    func handlerAdded(context: ChannelHandlerContext) {
        var fields = refusal.fields
        // Upgrade is named in Connection wherever it is sent (RFC 9110 §7.8).
        fields.replaceOrAdd(name: "Connection", value: fields.contains(name: "Upgrade") ? "upgrade, close" : "close")
        fields.replaceOrAdd(name: "Content-Length", value: String(refusal.body.count))
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !refusal.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: refusal.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.endOutput()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    }
}
