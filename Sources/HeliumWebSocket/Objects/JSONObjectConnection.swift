import HeliumBytes
import HeliumCore
package import HeliumCurl

/// A connection for JSON objects over TCP in clear text. It has the same ordering, limits, back-pressure and deadlines
/// as ``WebSocket``.
///
/// Each object that is sent ends with a newline. Received data is split into objects by braces. There is no close
/// message and no ping, so the protocol on top must provide a keep-alive if it needs one.
package final class JSONObjectConnection: Sendable {
    private let link: MessageLink
    private let closeLimit: Duration?
    /// The transport on whose loop the connection lives. It ends its connections when it is released.
    private let transport: CurlTransport

    private init(link: MessageLink, closeLimit: Duration?, transport: CurlTransport) {
        self.link = link
        self.transport = transport
        self.closeLimit = closeLimit
    }

    deinit { link.abandon() }

    /// Connects to a host.
    ///
    /// - Parameters:
    ///   - host: A name or an address, without brackets.
    ///   - port: The port.
    ///   - options: The options, of which the time limits, size limits and the clock are used.
    ///   - transport: The transport on whose loop the connection lives. Default: the one that belongs to no client.
    /// - Throws: The errors of ``WebSocket/connect(to:options:)``.
    package static func connect(
        host: String,
        port: Int,
        options: WebSocketOptions,
        on transport: CurlTransport? = nil
    ) async throws -> JSONObjectConnection {
        let failures = FailureMaker(url: "tcp://\(host):\(port)", secrets: [])
        let link = MessageLink(
            limits: LinkState.Limits(options.limits),
            clock: options.clock,
            failures: failures
        )
        let closeLimit = options.timeouts.close
        let dialer = Dialer(
            target: ChannelTarget(host: host, port: port),
            failures: failures,
            clock: options.clock
        )
        let transport = transport ?? SharedTransport.get()
        let attempt = DialAttempt()
        let handler = LinkHandler(
            link: link,
            codec: JSONObjectCodec(maximumBytes: options.limits.messageBytes),
            closeLimit: closeLimit,
            pace: ArrivalPace(options.limits)
        )
        try await dialer.dial(
            attempt,
            limits: .together(options.timeouts.connect),
            on: transport,
            handler: ConnectHandler(handler, attempt: attempt, failures: failures)
        )
        link.keepAlive(Keepalive(sendLimit: options.timeouts.send, messageLimit: options.timeouts.message))
        return JSONObjectConnection(link: link, closeLimit: closeLimit, transport: transport)
    }
}

extension JSONObjectConnection: TextConnection {
    package nonisolated(nonsending) func send(text: String) async throws { try await link.send(.text(text)) }

    package nonisolated(nonsending) func receiveText() async throws -> String? { try await link.receive()?.text }

    package var executor: (any TaskExecutor)? { link.executor }

    package func end() async { await link.close(.normal, reason: "", limit: closeLimit) }
}

/// A codec for JSON objects over a plain connection. Each written object ends with a newline, and received data is
/// split by braces.
final class JSONObjectCodec: MessageCodec {
    private var splitter: JSONObjectSplitter

    var overhead: Int { 1 }

    init(maximumBytes: Int) { splitter = JSONObjectSplitter(maximumBytes: maximumBytes) }

    var isWithinMessage: Bool { splitter.isWithinObject }

    func next(
        _ bytes: RawSpan,
        consumed: inout Int,
        messages: inout MessageQueue,
        room: MessageQueue.Room
    ) throws(ConnectionFault) -> ControlItem? {
        while !messages.fills(room), let text = try splitter.next(bytes, consumed: &consumed) {
            let byteCount = text.utf8.count
            messages.append(.text(text), byteCount: byteCount)
        }
        return nil
    }

    func writeMessages(of batch: inout [Outgoing], from index: inout Int, to out: inout ByteQueue) {
        while index < batch.count, let message = batch[index].takeMessage() {
            out.append(message.text ?? "")
            out.append(UInt8(ascii: "\n"))
            index += 1
        }
    }

    func writePing(to out: inout ByteQueue) -> Bool { false }

    func writePong(_ payload: [UInt8], to out: inout ByteQueue) {}

    func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteQueue) -> Bool { false }
}
