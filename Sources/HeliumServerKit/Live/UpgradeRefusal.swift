internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// Sends the response to a rejected handshake and closes the connection. A body of the request is discarded.
final class UpgradeRefusal: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: ServerReply

    init(_ refusal: ServerReply) { self.refusal = refusal }

    func handlerAdded(context: ChannelHandlerContext) {
        var fields = HTTPHeaders(refusal.fields)
        // `Upgrade` must be listed in `Connection` whenever it is sent (RFC 9110 §7.8).
        fields.replaceOrAdd(name: "Connection", value: fields.contains(name: "Upgrade") ? "upgrade, close" : "close")
        fields.replaceOrAdd(name: "Content-Length", value: String(refusal.body.count))
        let status = HTTPResponseStatus(statusCode: refusal.status.code, reasonPhrase: refusal.status.reasonPhrase)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))),
            promise: nil
        )
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
