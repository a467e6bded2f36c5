internal import HeliumWebSocketFraming
package import NIOCore

/// An event decoded from a live client's bytes.
package enum LiveArrival {
    case object([UInt8])
    /// A question that is answered with the same bytes.
    case ping(ByteBuffer)
    case pong
    /// The client ends the connection, with this code if it gave one.
    case close(UInt16?)
}

/// The reason why a live client's bytes cannot be followed any further.
package struct LiveFault: Error {
    /// The close code that tells a WebSocket's client (RFC 6455 §7.4.1).
    package let code: UInt16
    package let reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The encoding of objects on a live connection, in both directions: a value without I/O.
package protocol LiveCodec {
    /// Takes the next thing out of `bytes`; `nil` when more bytes are needed.
    mutating func next(_ bytes: inout ByteBuffer) throws(LiveFault) -> LiveArrival?

    /// Whether an object has begun and is not complete.
    var isWithinObject: Bool { get }

    /// The most bytes by which an object's form on the wire is longer than the object.
    var overhead: Int { get }

    mutating func write(_ object: [UInt8], to out: inout ByteBuffer)

    /// Writes a question for a sign of life; `false` if the form has none.
    mutating func writePing(to out: inout ByteBuffer) -> Bool

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer)

    /// Writes a close frame; `false` if the form has none, and the connection just ends.
    mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteBuffer) -> Bool
}

/// A WebSocket: one JSON object in each text message (RFC 6455), or in a binary one where these are accepted.
package struct WebSocketLiveCodec: LiveCodec {
    private let acceptsBinary: Bool
    private var reader: FrameReader
    private var writer = FrameWriter(randomNumbers: nil)

    package let overhead = FrameWriter.headerBytes

    /// - Parameter acceptsBinary: Whether an object may come in a binary message. Default: `false`.
    package init(maximumObjectBytes: Int, acceptsBinary: Bool = false) {
        self.acceptsBinary = acceptsBinary
        reader = FrameReader(
            for: .server,
            maximumFrameBytes: maximumObjectBytes,
            maximumMessageBytes: maximumObjectBytes
        )
    }

    package var isWithinObject: Bool { reader.isWithinMessage }

    package mutating func next(_ bytes: inout ByteBuffer) throws(LiveFault) -> LiveArrival? {
        let event: FrameEvent?
        do throws(FrameFault) {
            event = try reader.next(&bytes)
        } catch {
            throw LiveFault(code: error.code, reason: error.message)
        }
        return switch event {
        case nil: nil
        case .text(let text, _): .object(Array(text.utf8))
        case .binary(let data) where acceptsBinary: .object(Array(data.readableBytesView))
        case .binary: throw LiveFault(code: CloseCode.unsupportedData, reason: "only text messages are understood")
        case .ping(let payload): .ping(payload)
        case .pong: .pong
        case .close(let code, _): .close(code)
        }
    }

    package mutating func write(_ object: [UInt8], to out: inout ByteBuffer) {
        object.withUnsafeBytes { writer.write(.text, $0, to: &out) }
    }

    package mutating func writePing(to out: inout ByteBuffer) -> Bool {
        writer.write(.ping, ByteBuffer(), to: &out)
        return true
    }

    package mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer) {
        writer.write(.pong, payload, to: &out)
    }

    package mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteBuffer) -> Bool {
        writer.writeClose(code, reason: reason, to: &out)
        return true
    }
}
