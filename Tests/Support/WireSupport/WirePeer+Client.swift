import NIOCore
import NIOPosix

/// The client's side of RFC 6455, written for tests apart from the server's.
extension WirePeer {
    /// Connects to a port of 127.0.0.1 and runs `body` with the connection, which ends with it.
    ///
    /// - Parameter receiveBuffer: The number of bytes that the system receives beyond what was read, so that a server whose
    ///   responses are not read notices it soon. Default: `nil`, the system's.
    package static func connect<Value: Sendable>(
        to port: Int,
        at address: String = "127.0.0.1",
        receiveBuffer: Int? = nil,
        _ body: (WirePeer) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(receiveBuffer))
        }
        let channel = try await bootstrap.connect(host: address, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(WirePeer(channel: channel.channel, inbound: inbound, outbound: outbound))
        }
    }

    /// Asks for a WebSocket.
    ///
    /// - Returns: The head of the response.
    package func askForUpgrade(_ target: String) async throws -> String {
        try await write(
            "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        return try await readHead()
    }

    /// Sends frames and returns the other side's reaction: the code of its close frame, 1005 for a close frame without
    /// a code, or `nil` if it responds to a ping after the frames.
    ///
    /// - Parameter isMasked: Whether the frames are masked, as a client sends them.
    package func outcome(of rule: FrameRule, isMasked: Bool, expectsClose: Bool) async throws -> UInt16? {
        try await write(rule.bytes(isMasked: isMasked))
        let probe = Array("probe".utf8)
        if !expectsClose {
            try await write(FrameRule.Frame(first: 0x89, payload: probe).bytes(isMasked: isMasked))
        }
        while true {
            let frame = try await readFrame()
            if frame.opcode == 8 {
                return frame.payload.count < 2 ? 1005 : UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
            }
            if frame.opcode == 10, frame.payload == probe { return nil }
        }
    }
}
