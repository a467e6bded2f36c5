package import NIOCore

/// Assembles messages from the frames of a peer, for either side (RFC 6455 §5 and §8.1). It performs no I/O.
///
/// Payloads are consumed as they arrive, so the unread bytes never contain more than a frame's header or a control
/// frame. Text that arrives in parts is validated part by part, so a message fails at its first invalid byte.
package struct FrameReader {
    private let side: FrameSide
    private let maximumFrameBytes: Int
    private let maximumMessageBytes: Int

    /// The data frame in progress.
    private var frame: FrameHeader?
    /// The number of its bytes that have not arrived.
    private var missing = 0
    /// The part of the message that has arrived, if it did not arrive at once.
    private var assembly: ByteBuffer?
    private var isText = false
    /// Whether a fragmented message is in progress.
    private var isFragmented = false
    private var text = UTF8Check()
    /// The maximum amount of memory that is reserved for a message before its bytes arrive.
    private static let reserveLimit = 64 << 10

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - side: The side that reads.
    ///   - maximumFrameBytes: The maximum number of payload bytes of one frame.
    ///   - maximumMessageBytes: The maximum number of payload bytes of one message with all its fragments.
    package init(for side: FrameSide, maximumFrameBytes: Int, maximumMessageBytes: Int) {
        self.side = side
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Whether a message has begun and is not complete. An incomplete header or control frame does not count; its bytes
    /// stay unread.
    package var isWithinMessage: Bool { frame != nil || isFragmented }

    /// Takes the next message or control frame from `bytes`. Returns `nil` if more bytes are needed.
    ///
    /// - Throws: ``FrameFault``, after which nothing more can be read.
    package mutating func next(_ bytes: inout ByteBuffer) throws(FrameFault) -> FrameEvent? {
        if let event = takeShortText(&bytes) { return event }
        while true {
            if let frame {
                guard let event = try payload(of: frame, in: &bytes) else {
                    if self.frame == nil { continue }
                    return nil
                }
                return event
            }
            let start = bytes.readerIndex
            guard let header = try FrameHeader(&bytes, for: side, maximumLength: maximumFrameBytes) else { return nil }
            if header.opcode.isControl {
                guard let payload = bytes.readSlice(length: header.length) else {
                    bytes.moveReaderIndex(to: start)
                    return nil
                }
                return try Self.control(header.opcode, Self.unmasked(payload, header.key))
            }
            try begin(header)
        }
    }
}

// MARK: Data

extension FrameReader {
    /// Takes a text message from the server that is one frame of at most 125 bytes and has arrived completely. Most
    /// messages are like that. Returns `nil` and takes nothing for any other frame, and for a frame with a fault.
    @inline(__always)
    private func takeShortText(_ bytes: inout ByteBuffer) -> FrameEvent? {
        guard side == .client, frame == nil, !isFragmented else { return nil }
        let text = bytes.withUnsafeReadableBytes { bytes -> String? in
            // A final text frame that is not masked, so its second byte is its length.
            guard bytes.count >= 2, bytes[0] == 0x81, bytes[1] <= 125 else { return nil }
            let length = Int(bytes[1])
            guard length <= bytes.count - 2, length <= maximumFrameBytes, length <= maximumMessageBytes else {
                return nil
            }
            return UnsafeRawBufferPointer(rebasing: bytes[2..<(2 + length)]).verifiedText
        }
        guard let text else { return nil }
        let byteCount = text.utf8.count
        bytes.moveReaderIndex(forwardBy: 2 + byteCount)
        return .text(text, byteCount: byteCount)
    }

    private mutating func begin(_ header: FrameHeader) throws(FrameFault) {
        if header.opcode == .continuation {
            guard isFragmented else { throw .violation("a continuation frame without a message to continue") }
        } else {
            guard !isFragmented else { throw .violation("a new message begins before the previous one has ended") }
            isText = header.opcode == .text
            text = UTF8Check()
        }
        guard header.length <= maximumMessageBytes - (assembly?.readableBytes ?? 0) else {
            throw .messageTooBig(limit: maximumMessageBytes)
        }
        isFragmented = !header.isFinal
        missing = header.length
        frame = header
    }

    /// Consumes the payload of the frame in progress.
    ///
    /// - Returns: The message, if the frame was its last and is complete.
    private mutating func payload(
        of frame: FrameHeader,
        in bytes: inout ByteBuffer
    ) throws(FrameFault) -> FrameEvent? {
        if assembly == nil, frame.isFinal, let whole = bytes.readSlice(length: missing) {
            self.frame = nil
            return try message(Self.unmasked(whole, frame.key))
        }
        let count = min(missing, bytes.readableBytes)
        if let part = bytes.readSlice(length: count) { try append(part, of: frame) }
        guard missing == 0 else { return nil }
        self.frame = nil
        guard frame.isFinal, let whole = assembly else { return nil }
        assembly = nil
        guard !isText || text.isComplete else { throw .invalidText("a text message") }
        return try message(whole)
    }

    private mutating func append(_ part: ByteBuffer, of frame: FrameHeader) throws(FrameFault) {
        let count = part.readableBytes
        var assembly = self.assembly ?? ByteBuffer()
        self.assembly = nil
        assembly.reserveCapacity(minimumWritableBytes: min(missing, max(count, Self.reserveLimit)))
        let key = FrameMask.key(frame.key, at: frame.length - missing)
        part.withUnsafeReadableBytes { assembly.writeMasked($0, key) }
        missing -= count
        if isText {
            let isValid = assembly.withUnsafeReadableBytes { text.take($0.suffix(count)) }
            guard isValid else { throw .invalidText("a text message") }
        }
        self.assembly = assembly
    }

    private func message(_ bytes: ByteBuffer) throws(FrameFault) -> FrameEvent {
        guard isText else { return .binary(bytes) }
        guard let text = bytes.verifiedText else { throw .invalidText("a text message") }
        return .text(text, byteCount: bytes.readableBytes)
    }

    private static func unmasked(_ payload: ByteBuffer, _ key: UInt32) -> ByteBuffer {
        guard key != 0, payload.readableBytes > 0 else { return payload }
        var clear = ByteBuffer()
        clear.reserveCapacity(payload.readableBytes)
        payload.withUnsafeReadableBytes { clear.writeMasked($0, key) }
        return clear
    }
}

// MARK: Control frames

extension FrameReader {
    private static func control(_ opcode: FrameOpcode, _ payload: ByteBuffer) throws(FrameFault) -> FrameEvent {
        switch opcode {
        case .ping: .ping(payload)
        case .close: try close(payload)
        default: .pong
        }
    }

    private static func close(_ payload: ByteBuffer) throws(FrameFault) -> FrameEvent {
        var payload = payload
        guard payload.readableBytes > 0 else { return .close(code: nil, reason: "") }
        guard let code = payload.readInteger(as: UInt16.self) else {
            throw .violation("a close frame has an incomplete code")
        }
        guard CloseCode.isSendable(code) else { throw .violation("the close code \(code) must not be sent") }
        guard let reason = payload.verifiedText else { throw .invalidText("a close frame's reason") }
        return .close(code: code, reason: reason)
    }
}
