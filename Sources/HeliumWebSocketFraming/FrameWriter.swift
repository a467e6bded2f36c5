package import NIOCore

/// Writes frames (RFC 6455 §5.2). It performs no I/O. Messages are never fragmented.
package struct FrameWriter {
    /// The maximum number of bytes before a payload: two bytes, a long length and the key.
    package static let headerBytes = 14
    /// The maximum number of bytes of a close frame's reason: the payload of a control frame without the code.
    package static let reasonBytes = 123

    /// The masking keys; `nil` for a server, which does not mask.
    private var keys: MaskingKeys?

    /// Creates a writer.
    ///
    /// - Parameter randomNumbers: Returns the requested number of random numbers for a client's masking keys, which
    ///   must not be predictable (RFC 6455 §5.3). `nil` creates a server's writer.
    package init(randomNumbers: (@Sendable (Int) -> [UInt64])?) {
        keys = randomNumbers.map { MaskingKeys(draw: $0) }
    }

    package mutating func write(_ opcode: FrameOpcode, _ payload: ByteBuffer, to out: inout ByteBuffer) {
        payload.withUnsafeReadableBytes { write(opcode, $0, to: &out) }
    }

    /// Writes a frame whose payload is in parts, which are not copied into one for a server.
    package mutating func write(_ opcode: FrameOpcode, _ parts: [[UInt8]], to out: inout ByteBuffer) {
        guard keys == nil, parts.count != 1 else {
            let payload = parts.count == 1 ? parts[0] : Array(parts.joined())
            return payload.withUnsafeBytes { write(opcode, $0, to: &out) }
        }
        out.writeInteger(0x80 | opcode.rawValue)
        let length = parts.reduce(0) { $0 + $1.count }
        switch length {
        case ...125: out.writeInteger(UInt8(length))
        case ...Int(UInt16.max):
            out.writeInteger(126 as UInt8)
            out.writeInteger(UInt16(length))
        default:
            out.writeInteger(127 as UInt8)
            out.writeInteger(UInt64(length))
        }
        for part in parts { out.writeBytes(part) }
    }

    package mutating func write(
        _ opcode: FrameOpcode,
        _ payload: UnsafeRawBufferPointer,
        to out: inout ByteBuffer
    ) {
        let key = keys?.next()
        let length = payload.count
        let keyStart = length <= 125 ? 2 : length <= Int(UInt16.max) ? 4 : 10
        let start = keyStart + (key == nil ? 0 : 4)
        // The frame is written at once. Each append would reserve memory and check for exclusive access again, which
        // costs more than a small message.
        out.writeWithUnsafeMutableBytes(minimumWritableBytes: start + length) { target in
            let mask: UInt8 = key == nil ? 0 : 0x80
            target[0] = 0x80 | opcode.rawValue
            switch keyStart {
            case 2:
                target[1] = mask | UInt8(length)
            case 4:
                target[1] = mask | 126
                target.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            default:
                target[1] = mask | 127
                target.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            }
            let body = UnsafeMutableRawBufferPointer(rebasing: target[start...])
            if let key {
                target.storeBytes(of: key.littleEndian, toByteOffset: keyStart, as: UInt32.self)
                FrameMask.apply(key, to: payload, into: body)
            } else {
                body.copyMemory(from: payload)
            }
            return start + length
        }
    }

    /// Writes a close frame. A code that must not be sent is left out together with its reason. A reason that is too
    /// long is cut between characters.
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

/// Masking keys, which are drawn in bulk because a system call for each would cost more than masking a small message.
private struct MaskingKeys {
    let draw: @Sendable (Int) -> [UInt64]
    /// The random numbers, each of which contains two keys. The first `used` keys have been used.
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
