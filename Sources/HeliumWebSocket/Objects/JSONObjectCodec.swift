internal import NIOCore

/// JSON objects over a plain connection: what is written ends with a newline, what arrives is split by its braces.
struct JSONObjectCodec: MessageCodec {
    private var splitter: JSONObjectSplitter

    static let overhead = 1

    init(maximumBytes: Int) { splitter = JSONObjectSplitter(maximumBytes: maximumBytes) }

    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> Arrival<String>? {
        guard let object = try splitter.next(&bytes) else { return nil }
        guard let text = object.verifiedText else { throw .invalidText("an object") }
        return .message(text, byteCount: object.readableBytes)
    }

    static func byteCount(of message: String) -> Int { message.utf8.count }

    mutating func write(_ message: String, to out: inout ByteBuffer) {
        out.writeString(message)
        out.writeInteger(UInt8(ascii: "\n"))
    }

    mutating func writePing(to out: inout ByteBuffer) -> Bool { false }

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer) {}

    mutating func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool { false }
}
