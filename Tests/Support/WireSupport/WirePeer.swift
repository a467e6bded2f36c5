package import NIOCore
import NIOPosix
import NIOSSL

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
        while true {
            let text = String(buffer: unread)
            if let range = text.firstRange(of: mark) {
                let found = String(text[..<range.upperBound])
                unread.moveReaderIndex(forwardBy: found.utf8.count)
                return found
            }
            try await receive()
        }
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

    /// Ends a connection over TLS without TLS's own end.
    package func cutTLS() async throws {
        try await channel.pipeline.context(handlerType: NIOSSLServerHandler.self).flatMap { $0.close() }.get()
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

extension WirePeer {
    /// Writes from another task than the one that reads.
    package var writer: NIOAsyncChannelOutboundWriter<ByteBuffer> { outbound }
}
