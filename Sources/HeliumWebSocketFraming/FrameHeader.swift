/// The first bytes of a frame (RFC 6455 §5.2).
struct FrameHeader: Equatable {
    let opcode: FrameOpcode
    let isFinal: Bool
    let length: Int
    /// The masking key, with its first byte lowest; 0 for a frame that is not masked.
    let key: UInt32

    /// Takes a header from `bytes`. Returns `nil` and takes nothing if more bytes are needed.
    ///
    /// - Parameters:
    ///   - consumed: The number of bytes before the header, to which the header's are added.
    ///   - side: The side that reads. A server accepts masked frames only, a client unmasked ones only.
    /// - Throws: ``FrameFault`` as soon as the bytes that have arrived violate a rule.
    init?(
        _ bytes: RawSpan,
        consumed: inout Int,
        for side: FrameSide,
        maximumLength: Int
    ) throws(FrameFault) {
        let header = bytes.extracting(consumed...)
        guard let first = header.integer(at: 0, as: UInt8.self) else { return nil }
        guard first & 0x70 == 0 else { throw .violation("a reserved bit is set without a negotiated extension") }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else {
            throw .violation("the opcode \(first & 0x0F) is reserved")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .violation("a control frame is fragmented") }

        guard let second = header.integer(at: 1, as: UInt8.self) else { return nil }
        let isMasked = second & 0x80 != 0
        switch side {
        case .client: guard !isMasked else { throw .violation("a frame from the server is masked") }
        case .server: guard isMasked else { throw .violation("a frame from the client is not masked") }
        }
        let short = Int(second & 0x7F)
        guard short <= 125 || !opcode.isControl else { throw .violation("a control frame has more than 125 bytes") }

        var size: Int
        switch short {
        case 126:
            guard let length = header.integer(at: 2, as: UInt16.self)?.byteSwapped else { return nil }
            guard length > 125 else { throw .violation("a length is not in its shortest form") }
            (self.length, size) = (Int(length), 4)
        case 127:
            guard let length = header.integer(at: 2, as: UInt64.self)?.byteSwapped else { return nil }
            guard length >> 63 == 0 else { throw .violation("the highest bit of a length is set") }
            guard length > UInt16.max else { throw .violation("a length is not in its shortest form") }
            guard length <= UInt64(maximumLength) else { throw .frameTooBig(limit: maximumLength) }
            (self.length, size) = (Int(length), 10)
        default:
            (self.length, size) = (short, 2)
        }
        guard length <= maximumLength || opcode.isControl else { throw .frameTooBig(limit: maximumLength) }
        if isMasked {
            guard let key = header.integer(at: size, as: UInt32.self) else { return nil }
            self.key = key
            size += 4
        } else {
            key = 0
        }
        self.opcode = opcode
        self.isFinal = isFinal
        consumed += size
    }
}

extension RawSpan {
    /// The integer whose lowest byte is at `offset`; `nil` if the bytes end before its end.
    fileprivate func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Integer.Type
    ) -> Integer? {
        guard MemoryLayout<Integer>.size <= byteCount - offset else { return nil }
        return Integer(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
