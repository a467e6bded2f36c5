internal import HeliumServerKit

/// Where the frames of a stream go: a WebSocket, or a body in chunks.
protocol LiveSink: AnyObject, Sendable {
    /// Sends one frame, or ends the connection where too much waits.
    func send(_ frame: [UInt8])

    /// Ends the connection as its protocol does.
    func end()

    /// Ends the connection in the middle of a frame.
    func cut(in frame: [UInt8])

    /// How full the queue is, from 0 to 1.
    var fill: Double { get }
}

/// Chunked HTTP: frames end in `\r\n` (§2.13, §2.14).
final class ChunkedSink: LiveSink {
    static let separator: [UInt8] = [13, 10]
    let stream: ReplyStream

    init(_ stream: ReplyStream) { self.stream = stream }

    func send(_ frame: [UInt8]) { stream.send(frame + Self.separator) }
    func end() { stream.finish() }
    func cut(in frame: [UInt8]) { stream.cut(after: Array(frame.prefix(frame.count / 2))) }
    var fill: Double { stream.fill }
}

/// A WebSocket: one frame is one text message (§2.14).
final class SocketSink: LiveSink {
    private let client: LiveConnection

    init(_ client: LiveConnection) { self.client = client }

    func send(_ frame: [UInt8]) { client.push(frame) }
    func end() { client.sayGoodbye() }
    func cut(in frame: [UInt8]) { client.drop() }
    var fill: Double { client.fill }
}
