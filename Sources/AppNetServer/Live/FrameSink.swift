internal import HeliumServerKit

/// The destination of a stream's frames: a WebSocket or a chunked body.
protocol FrameSink: AnyObject, Sendable {
    /// The place of its request in the order of all requests for streams. A consumer is only replaced by a later one.
    var number: Int { get }

    /// Sends a frame, or closes the connection if too many bytes are queued.
    func send(_ frame: [UInt8])

    /// Closes the connection according to its protocol.
    func end()

    /// Closes the connection in the middle of a frame.
    func cut(in frame: [UInt8])

    /// The fill level of the queue, from 0 to 1.
    var fill: Double { get }
}

/// A chunked HTTP response. Frames end with `\r\n` (Docs/Protocols/AppNet.md §2.13, §2.14).
final class ChunkedSink: FrameSink {
    static let separator: [UInt8] = [13, 10]
    let stream: ReplyStream
    let number: Int

    init(_ stream: ReplyStream, number: Int) { (self.stream, self.number) = (stream, number) }

    func send(_ frame: [UInt8]) { stream.send(frame + Self.separator) }
    func end() { stream.finish() }
    func cut(in frame: [UInt8]) { stream.cut(after: Array(frame.prefix(frame.count / 2))) }
    var fill: Double { stream.fill }
}

/// A WebSocket. Each frame is one text message (Docs/Protocols/AppNet.md §2.14).
final class SocketSink: FrameSink {
    let number: Int
    private let client: LiveConnection

    init(_ client: LiveConnection, number: Int) { (self.client, self.number) = (client, number) }

    func send(_ frame: [UInt8]) { client.push(frame) }
    func end() { client.closeGracefully() }
    func cut(in frame: [UInt8]) { client.drop() }
    var fill: Double { client.fill }
}
