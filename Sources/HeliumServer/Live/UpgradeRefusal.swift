internal import NIOCore
internal import NIOHTTP1

/// Answers a request on a WebSocket's port that does not become one, and ends the connection.
final class UpgradeRefusal: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: LiveRefusal
    private let isRequestRead: Bool

    /// - Parameter isRequestRead: whether the request's end has passed already, as it has where deciding took time
    init(_ refusal: LiveRefusal, isRequestRead: Bool) {
        self.refusal = refusal
        self.isRequestRead = isRequestRead
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isRequestRead { answer(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data), !isRequestRead else { return }
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        var fields = refusal.fields
        fields.replaceOrAdd(name: "Connection", value: "close")
        fields.replaceOrAdd(name: "Content-Length", value: String(refusal.body.count))
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !refusal.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: refusal.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
