package import HeliumBytes
internal import HeliumWebSocketFraming

/// An event decoded from a live client's bytes.
package enum LiveArrival {
    case object([UInt8])
    /// A ping. The response is a pong with the same bytes.
    case ping([UInt8])
    case pong
    /// The client closes the connection, with this code if it sent one.
    case close(UInt16?)
}

/// The error thrown when the bytes of a live client violate the protocol.
package struct LiveFault: Error {
    /// The close code for a WebSocket's client (RFC 6455 §7.4.1).
    package let code: UInt16
    package let reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The encoding of objects on a live connection, in both directions. A codec is a value without I/O.
package protocol LiveCodec {
    /// Decodes the next event from `bytes`; `nil` if more bytes are needed.
    ///
    /// - Parameter consumed: The number of bytes at the beginning of `bytes` that have been consumed. The codec begins
    ///   after them, and adds the number of bytes that it takes.
    mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(LiveFault) -> LiveArrival?

    /// Whether an object has begun to arrive and is not complete.
    var isWithinObject: Bool { get }

    /// The maximum number of bytes that the encoding adds to an object.
    var overhead: Int { get }

    mutating func write(_ object: LiveObject, to out: inout ByteQueue)

    /// Writes a ping. Returns `false` if the encoding does not have pings.
    mutating func writePing(to out: inout ByteQueue) -> Bool

    mutating func writePong(_ payload: [UInt8], to out: inout ByteQueue)

    /// Writes a close frame. Returns `false` if the encoding does not have close frames; the connection is then just
    /// closed.
    mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteQueue) -> Bool
}

/// The encoding of a WebSocket: one JSON object in each text message (RFC 6455), or also in binary messages if they are
/// accepted.
package struct WebSocketLiveCodec: LiveCodec {
    private let acceptsBinary: Bool
    private var reader: FrameReader
    private var writer = FrameWriter(randomNumbers: nil)

    package let overhead = FrameWriter.headerBytes

    /// - Parameter acceptsBinary: Whether binary messages are accepted. Default: `false`.
    package init(maximumObjectBytes: Int, acceptsBinary: Bool = false) {
        self.acceptsBinary = acceptsBinary
        reader = FrameReader(
            for: .server,
            maximumFrameBytes: maximumObjectBytes,
            maximumMessageBytes: maximumObjectBytes
        )
    }

    package var isWithinObject: Bool { reader.isWithinMessage }

    package mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(LiveFault) -> LiveArrival? {
        let event: FrameEvent?
        do throws(FrameFault) {
            event = try reader.next(bytes, consumed: &consumed)
        } catch {
            throw LiveFault(code: error.code, reason: error.message)
        }
        return switch event {
        case nil: nil
        case .text(let text, _): .object(Array(text.utf8))
        case .binary(let data) where acceptsBinary: .object(Array(data))
        case .binary: throw LiveFault(code: CloseCode.unsupportedData, reason: "only text messages are supported")
        case .ping(let payload): .ping(payload)
        case .pong: .pong
        case .close(let code, _): .close(code)
        }
    }

    package mutating func write(_ object: LiveObject, to out: inout ByteQueue) {
        writer.write(.text, parts: object.parts, to: &out)
    }

    package mutating func writePing(to out: inout ByteQueue) -> Bool {
        writer.write(.ping, [], to: &out)
        return true
    }

    package mutating func writePong(_ payload: [UInt8], to out: inout ByteQueue) {
        writer.write(.pong, payload, to: &out)
    }

    package mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteQueue) -> Bool {
        writer.writeClose(code, reason: reason, to: &out)
        return true
    }
}
