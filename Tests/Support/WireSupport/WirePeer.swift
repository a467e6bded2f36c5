package import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connection that a test's server has accepted, byte by byte.
package final class WirePeer {
    package let channel: any Channel
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread = ByteBuffer()

    init(
        channel: any Channel,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.channel = channel
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// The client has ended the connection.
    package struct Ended: Error {}

    /// Writes bytes.
    package func write(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Writes text.
    package func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Reads exactly so many bytes.
    package func read(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count { try await receive() }
        return unread.readBytes(length: count) ?? []
    }

    /// Reads up to a mark and takes it along.
    package func read(until mark: String) async throws -> String {
        let mark = Array(mark.utf8)
        // As bytes: what follows the mark is perhaps no text.
        var searched = 0
        while true {
            let bytes = unread.readableBytesView
            while searched + mark.count <= bytes.count {
                let start = bytes.startIndex + searched
                if bytes[start..<(start + mark.count)].elementsEqual(mark) {
                    return unread.readString(length: searched + mark.count) ?? ""
                }
                searched += 1
            }
            try await receive()
        }
    }

    /// Waits for so many bytes, which are still to be read.
    package func peek(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count { try await receive() }
        return unread.getBytes(at: unread.readerIndex, length: count) ?? []
    }

    /// Reads what comes next, however much it is; `nil` after the client has ended the connection.
    package func readSome() async throws -> [UInt8]? {
        if unread.readableBytes == 0 {
            guard let part = try await inbound.next() else { return nil }
            unread = part
        }
        return unread.readBytes(length: unread.readableBytes)
    }

    /// Reads, and forgets, until the client ends the connection.
    package func readToEnd() async throws {
        while try await inbound.next() != nil {}
    }

    private func receive() async throws {
        guard var part = try await inbound.next() else { throw Ended() }
        unread.writeBuffer(&part)
    }
}

extension WirePeer {
    /// Carries bytes between the client and a port of 127.0.0.1 until either ends.
    package func splice(to port: Int) async throws {
        let target = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let back = outbound
        try await target.executeThenClose { answers, questions in
            let copying = Task {
                for try await part in answers { try await back.write(part) }
            }
            while let part = try await inbound.next() { try await questions.write(part) }
            copying.cancel()
        }
    }
}

// MARK: Ends

extension WirePeer {
    /// Writes bytes and returns after the system has taken them.
    package func flush(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Writes text and returns after the system has taken it.
    package func flush(_ text: String) async throws { try await flush(Array(text.utf8)) }

    /// Writes bytes, each in a packet of its own.
    package func flushEach(_ bytes: [UInt8]) async throws {
        try await channel.setOption(.tcpOption(.tcp_nodelay), value: 1).get()
        for byte in bytes { try await flush([byte]) }
    }

    /// Ends a connection over TLS without TLS's own end.
    package func cutTLS() async throws { try await Self.cutTLS(of: channel).get() }

    private static func cutTLS(of channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.context(handlerType: NIOSSLServerHandler.self).flatMap { $0.close() }
    }

    /// Writes text and ends the connection in order, over TLS with close_notify, in one step. Does not wait for the client's own
    /// end.
    package func end(after text: String = "", isSecure: Bool) async throws {
        try await Self.end(channel, after: text, isSecure: isSecure)
    }

    /// Ends a connection in order, from any task.
    package static func end(_ channel: any Channel, after text: String = "", isSecure: Bool) async throws {
        try await channel.eventLoop.flatSubmit {
            if !text.isEmpty { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
            guard isSecure else { return channel.close() }
            channel.close(promise: nil)
            return cutTLS(of: channel)
        }.get()
    }

    /// Ends the connection by a reset (RFC 9293 §3.5.3), also under TLS.
    package func reset(isSecure: Bool) async throws {
        let socket = channel as? any SocketOptionProvider
        try await socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        if isSecure { try await cutTLS() } else { try await channel.close() }
    }

    /// Holds bytes back until the connection ends, so that they come in one packet with its end. Linux only: elsewhere
    /// they come before it.
    package func holdBack() async throws {
        #if os(Linux)
            try await channel.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_CORK)), value: 1).get()
        #endif
    }
}

extension WirePeer {
    /// Writes from another task than the one that reads.
    package var writer: NIOAsyncChannelOutboundWriter<ByteBuffer> { outbound }
}
