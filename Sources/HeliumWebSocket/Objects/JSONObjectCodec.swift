internal import HeliumWebSocketFraming
internal import NIOCore

/// JSON objects over a plain connection: what is written ends with a newline, what arrives is split by its braces.
struct JSONObjectCodec: MessageCodec {
    private var splitter: JSONObjectSplitter

    var overhead: Int { 1 }

    init(maximumBytes: Int) { splitter = JSONObjectSplitter(maximumBytes: maximumBytes) }

    var isWithinMessage: Bool { splitter.isWithinObject }

    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> Arrival? {
        guard let object = try splitter.next(&bytes) else { return nil }
        guard let text = object.verifiedText else { throw .invalidText("an object") }
        return .message(.text(text), byteCount: object.readableBytes)
    }

    mutating func write(_ message: WebSocketMessage, to out: inout ByteBuffer) {
        out.writeString(message.text ?? "")
        out.writeInteger(UInt8(ascii: "\n"))
    }

    mutating func writePing(to out: inout ByteBuffer) -> Bool { false }

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer) {}

    mutating func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool { false }
}
