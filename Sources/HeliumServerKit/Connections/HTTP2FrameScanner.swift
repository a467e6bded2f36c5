internal import NIOCore

/// Finds the highest stream that a client has opened in the bytes that it sends over HTTP/2.
///
/// It reads the heads of frames only (RFC 9113 §4.1), in time linear in the bytes.
struct HTTP2FrameScanner {
    /// The highest stream whose fields have arrived as a whole; 0 before the first.
    private(set) var lastStream: UInt32 = 0
    /// The bytes to skip: first the client's preface (RFC 9113 §3.4), then the payload of a frame.
    private var skipped = 24
    /// The stream whose fields end with the payload that is being skipped; 0 for none.
    private var stream: UInt32 = 0
    /// The bytes of an incomplete head.
    private var head: [UInt8] = []

    private static let headBytes = 9
    private static let headers: UInt8 = 1
    private static let continuation: UInt8 = 9
    private static let endHeaders: UInt8 = 4

    mutating func read(_ bytes: ByteBufferView) {
        var rest = bytes
        while true {
            if skipped > 0 {
                let count = min(skipped, rest.count)
                rest = rest.dropFirst(count)
                skipped -= count
                guard skipped == 0 else { return }
            }
            lastStream = max(lastStream, stream)
            stream = 0
            let part = rest.prefix(Self.headBytes - head.count)
            head += part
            rest = rest.dropFirst(part.count)
            guard head.count == Self.headBytes else { return }
            skipped = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            if head[3] == Self.headers || head[3] == Self.continuation, head[4] & Self.endHeaders != 0 {
                stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            }
            head.removeAll(keepingCapacity: true)
        }
    }
}
