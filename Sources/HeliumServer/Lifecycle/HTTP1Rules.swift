internal import NIOCore
internal import NIOHTTP1

/// The rules of HTTP/1 about a connection that Hummingbird leaves open, and where its own handlers see them no more.
///
/// - A request of HTTP/1.1 has exactly one `Host` field; otherwise it is answered with 400, and the connection ends
///   (RFC 9112 §3.2).
/// - A connection of HTTP/1.0 ends with its first response, which is not chunked; so does one whose request says `close`,
///   however it spells that (RFC 9112 §6.1, §9.3).
final class HTTP1Rules: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Request {
        let isOld: Bool
        let isLast: Bool
    }

    /// Requests that are not answered yet, the oldest first.
    private var open = CircularBuffer<Request>()
    /// A request was refused: nothing more is read, and it is answered after those before it.
    private var isRefusing = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefusing else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let hosts = head.headers["Host"].count
        guard hosts == 1 || (isOld && hosts == 0) else {
            isRefusing = true
            if open.isEmpty { refuse(context) }
            return
        }
        let isLast = isOld || head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
        // Hummingbird ends the connection after a request with exactly this field.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        open.append(Request(isOld: isOld, isLast: isLast))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where open.first?.isLast == true && head.status.code >= 200:
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // The encoder chunks no body of this version.
            if open.first?.isOld == true { head.version = .http1_0 }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            _ = open.popFirst()
            if isRefusing, open.isEmpty { refuse(context) }
        default:
            context.write(data, promise: promise)
        }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let fields = HTTPHeaders([("Connection", "close"), ("Content-Length", "0")])
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.endOutput()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isRefusing, open.isEmpty, case ChannelEvent.inputClosed? = event as? ChannelEvent {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }
}

extension HTTP1Rules {
    /// Puts the rules behind the decoder of HTTP/1 when it is added, and does nothing in a stream of HTTP/2, which has none:
    /// a server's configuration adds handlers only after HTTP/1 has become values without a version.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
                return
            }
            do { try pipeline.addHandler(HTTP1Rules(), position: .after(decoder)) } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}
