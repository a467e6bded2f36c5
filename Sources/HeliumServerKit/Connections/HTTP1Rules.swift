internal import NIOCore
internal import NIOHTTP1

/// Rules of HTTP/1 for connections that Hummingbird does not enforce, or that its handlers cannot check.
///
/// - A request of HTTP/1.1 must have exactly one `Host` field. Otherwise the response is 400 and the connection is
///   closed (RFC 9112 §3.2).
/// - A request whose target or header fields have long runs of combining marks gets the same response. The next handlers
///   compare values with `==`, which takes quadratic time for such runs.
/// - A connection of HTTP/1.0 is closed after its first response, which is not chunked. A connection is also closed if
///   its request contains the option `close` in any letter case (RFC 9112 §6.1, §9.3), or asks for another protocol.
/// - When the server stops, the last response has `Connection: close`, so that the client sends no further request.
final class HTTP1Rules: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Request {
        let isOld: Bool
        let isLast: Bool
    }

    /// The requests without a response, oldest first.
    private var open = CircularBuffer<Request>()
    /// Whether a request was rejected. Nothing more is read, and the rejection is sent after the responses to earlier
    /// requests.
    private var isRefusing = false
    private var isStopping = false
    /// Whether a response says that the connection closes because the server stops. Later requests are not processed
    /// (RFC 9112 §9.6).
    private var isLastResponse = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefusing else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        // The connection closes after the response, so nothing more is read.
        guard !isLastResponse else { return isRefusing = true }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let hosts = head.headers["Host"].count
        guard hosts == 1 || (isOld && hosts == 0), !head.holdsLongMarkRun else {
            isRefusing = true
            if open.isEmpty { refuse(context) }
            return
        }
        let options = head.headers[canonicalForm: "Connection"].map { $0.lowercased() }
        // NIO's decoder reads nothing after a request that asks for another protocol.
        let asksForUpgrade = options.contains("upgrade") && head.headers.contains(name: "Upgrade")
        let isLast = isOld || options.contains("close") || asksForUpgrade
        // Hummingbird closes the connection after a request that has exactly this field.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        open.append(Request(isOld: isOld, isLast: isLast))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200 && endsConnection:
            isLastResponse = isStopping
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // The encoder does not chunk bodies of this version.
            if open.first?.isOld == true { head.version = .http1_0 }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            _ = open.popFirst()
            if isRefusing, !isLastResponse, open.isEmpty { refuse(context) }
        default:
            context.write(data, promise: promise)
        }
    }

    /// Whether the response to the oldest request is the last one of the connection.
    private var endsConnection: Bool { open.first?.isLast == true || (isStopping && open.count == 1) }

    private func refuse(_ context: ChannelHandlerContext) {
        let fields = HTTPHeaders([("Connection", "close"), ("Content-Length", "0")])
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.endOutput()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { isStopping = true }
        if isRefusing, open.isEmpty, case ChannelEvent.inputClosed? = event as? ChannelEvent {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }
}

extension HTTPRequestHead {
    /// Whether the target or a header field has more than ``MarkRun/maximum`` combining marks in a row.
    var holdsLongMarkRun: Bool { uri.holdsLongMarkRun || headers.contains { $0.value.holdsLongMarkRun } }
}
