package import NIOCore

/// Writes frames (RFC 6455 §5.2): a value without I/O. Messages are never fragmented.
package struct FrameWriter {
    /// The most bytes before a payload: two, a long length, the key.
    package static let headerBytes = 14
    /// The most bytes of a close frame's reason: those of a control frame less the code.
    package static let reasonBytes = 123

    /// `nil` for a server, which masks nothing.
    private var keys: MaskingKeys?

    /// - Parameter randomNumbers: Draws as many random numbers as it is asked for, for a client's masking keys: they must
    ///   not be predictable (RFC 6455 §5.3). `nil`: the writer is a server's.
    package init(randomNumbers: (@Sendable (Int) -> [UInt64])?) {
        keys = randomNumbers.map { MaskingKeys(draw: $0) }
    }

    package mutating func write(_ opcode: FrameOpcode, _ payload: ByteBuffer, to out: inout ByteBuffer) {
        payload.withUnsafeReadableBytes { write(opcode, $0, to: &out) }
    }

    package mutating func write(
        _ opcode: FrameOpcode,
        _ payload: UnsafeRawBufferPointer,
        to out: inout ByteBuffer
    ) {
        let mask: UInt8 = keys == nil ? 0 : 0x80
        out.writeInteger(0x80 | opcode.rawValue)
        switch payload.count {
        case 0...125:
            out.writeInteger(mask | UInt8(payload.count))
        case 126...Int(UInt16.max):
            out.writeMultipleIntegers(mask | 126, UInt16(payload.count))
        default:
            out.writeMultipleIntegers(mask | 127, UInt64(payload.count))
        }
        guard let key = keys?.next() else {
            out.writeBytes(payload)
            return
        }
        out.writeInteger(key, endianness: .little)
        out.writeMasked(payload, key)
    }

    /// Writes a close frame. A code that must not be sent is left out, with its reason; a reason that is too long is cut
    /// between characters.
    package mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteBuffer) {
        var payload = ByteBuffer()
        if let code, CloseCode.isSendable(code) {
            payload.writeInteger(code)
            payload.writeSubstring(Self.cut(reason))
        }
        write(.close, payload, to: &out)
    }

    private static func cut(_ reason: String) -> Substring {
        guard reason.utf8.count > reasonBytes else { return reason[...] }
        var end = reason.startIndex
        var count = 0
        while end < reason.endIndex {
            count += reason[end].utf8.count
            guard count <= reasonBytes else { break }
            end = reason.index(after: end)
        }
        return reason[..<end]
    }
}

/// Masking keys, drawn together: a system call for each would cost more than masking a small message.
private struct MaskingKeys {
    let draw: @Sendable (Int) -> [UInt64]
    /// Numbers of two keys each, of which the first `used` keys are used.
    private var numbers: [UInt64] = []
    private var used = 0
    private static let drawnNumbers = 32

    init(draw: @escaping @Sendable (Int) -> [UInt64]) { self.draw = draw }

    mutating func next() -> UInt32 {
        if used == numbers.count * 2 {
            numbers = draw(Self.drawnNumbers)
            used = 0
        }
        let number = numbers[used / 2]
        defer { used += 1 }
        return UInt32(truncatingIfNeeded: used % 2 == 0 ? number : number >> 32)
    }
}
