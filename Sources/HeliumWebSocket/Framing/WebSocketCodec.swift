internal import HeliumCore
internal import NIOCore

/// The messages of a WebSocket as a client reads and writes them.
struct WebSocketCodec: MessageCodec {
    private var reader: FrameReader
    private var writer: FrameWriter

    var overhead: Int { FrameWriter.headerBytes }
    /// The most bytes of a reason: a control frame's, less the code.
    static let reasonBytes = 123

    init(_ options: WebSocketOptions) {
        reader = FrameReader(
            maximumFrameBytes: options.limits.frameBytes,
            maximumMessageBytes: options.limits.messageBytes
        )
        writer = FrameWriter(random: options.random)
    }

    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> Arrival? {
        try reader.next(&bytes)
    }

    mutating func write(_ message: WebSocketMessage, to out: inout ByteBuffer) { writer.write(message, to: &out) }

    mutating func writePing(to out: inout ByteBuffer) -> Bool {
        writer.write(.ping, ByteBuffer(), to: &out)
        return true
    }

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer) { writer.write(.pong, payload, to: &out) }

    mutating func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool {
        var payload = ByteBuffer()
        if code.isSendable {
            payload.writeInteger(code.rawValue)
            payload.writeSubstring(Self.cut(reason))
        }
        writer.write(.close, payload, to: &out)
        return true
    }

    /// As much of a reason as a close frame holds, cut between characters.
    private static func cut(_ reason: String) -> Substring {
        guard reason.utf8.count > reasonBytes else { return reason[...] }
        var end = reason.startIndex
        var count = 0
        while end < reason.endIndex {
            count += reason[end].utf8.count
            guard count <= reasonBytes else { break }
            end = reason.index(after: end)
        }
        return reason[..<end]
    }
}
