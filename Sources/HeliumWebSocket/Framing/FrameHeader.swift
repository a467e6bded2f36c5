internal import NIOCore

/// The first bytes of a frame (RFC 6455 section 5.2), as a server sends it: not masked.
struct FrameHeader: Equatable {
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue & 8 != 0 }
    }

    let opcode: Opcode
    let isFinal: Bool
    let length: Int

    /// Takes a header out of `bytes`; `nil`, with nothing taken, when more bytes are needed.
    ///
    /// - Throws: ``ConnectionFault`` as soon as the bytes that are there break a rule.
    init?(_ bytes: inout ByteBuffer, maximumLength: Int) throws(ConnectionFault) {
        let start = bytes.readerIndex
        guard let first = bytes.getInteger(at: start, as: UInt8.self) else { return nil }
        guard first & 0x70 == 0 else { throw .violation("a reserved bit is set, and no extension was agreed on") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw .violation("the opcode \(first & 0x0F) is reserved")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .violation("a control frame is fragmented") }

        guard let second = bytes.getInteger(at: start + 1, as: UInt8.self) else { return nil }
        guard second & 0x80 == 0 else { throw .violation("a frame of the server is masked") }
        let short = Int(second & 0x7F)
        guard short <= 125 || !opcode.isControl else { throw .violation("a control frame has more than 125 bytes") }

        let size: Int
        switch short {
        case 126:
            guard let length = bytes.getInteger(at: start + 2, as: UInt16.self) else { return nil }
            guard length > 125 else { throw .violation("a length is not in its shortest form") }
            (self.length, size) = (Int(length), 4)
        case 127:
            guard let length = bytes.getInteger(at: start + 2, as: UInt64.self) else { return nil }
            guard length > UInt16.max else { throw .violation("a length is not in its shortest form") }
            guard length <= UInt64(maximumLength) else { throw .tooBig(.frameBytes, limit: maximumLength) }
            (self.length, size) = (Int(length), 10)
        default:
            (self.length, size) = (short, 2)
        }
        guard length <= maximumLength || opcode.isControl else { throw .tooBig(.frameBytes, limit: maximumLength) }
        self.opcode = opcode
        self.isFinal = isFinal
        bytes.moveReaderIndex(forwardBy: size)
    }
}
