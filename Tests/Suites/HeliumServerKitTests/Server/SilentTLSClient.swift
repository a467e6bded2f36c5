import NIOCore
import NIOPosix
import NIOSSL
import ServerSupport

/// A client over TLS that makes one call and then reads nothing more, as a pool does that looks at an idle connection
/// only before its next use. So it does not notice that the server ends TLS.
final class SilentTLSClient: Sendable {
    private let channel: any Channel
    private let isHTTP2: Bool
    private let reads: AsyncStream<[UInt8]>

    init(port: Int, isHTTP2: Bool) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        tls.applicationProtocols = [isHTTP2 ? "h2" : "http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        let (reads, read) = AsyncStream<[UInt8]>.makeStream()
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                    try channel.pipeline.syncOperations.addHandlers([handler, Reader(read)])
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.reads = reads
        self.isHTTP2 = isHTTP2
    }

    deinit { channel.close(promise: nil) }

    /// The server has ended the connection within a response.
    struct Ended: Error {}

    /// Makes a call, reads its response, and stops reading.
    func call() async throws {
        let request =
            isHTTP2
            ? HTTP2Frames.requests("GET", ["/"], scheme: "https", authority: "localhost")
            : Peer.bytes("GET", "/", host: "localhost")
        try await channel.writeAndFlush(ByteBuffer(bytes: request))
        var bytes: [UInt8] = []
        var next = reads.makeAsyncIterator()
        repeat {
            guard let read = await next.next() else { throw Ended() }
            bytes += read
        } while isHTTP2 ? !HTTP2Frames.areComplete([1], in: bytes) : bytes.suffix(2) != Array("ok".utf8)
        try await channel.setOption(.autoRead, value: false).get()
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let read: AsyncStream<[UInt8]>.Continuation

        init(_ read: AsyncStream<[UInt8]>.Continuation) { self.read = read }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            read.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) { read.finish() }
    }
}
