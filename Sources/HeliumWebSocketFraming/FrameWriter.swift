package import HeliumBytes

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

    package mutating func write(_ opcode: FrameOpcode, _ payload: RawSpan, to out: inout ByteQueue) {
        payload.withUnsafeBytes { write(opcode, $0, to: &out) }
    }

    package mutating func write(_ opcode: FrameOpcode, _ payload: [UInt8], to out: inout ByteQueue) {
        payload.withUnsafeBytes { write(opcode, $0, to: &out) }
    }

    /// Writes a frame whose payload is in parts, which are not copied into one for a server.
    package mutating func write(_ opcode: FrameOpcode, parts: [[UInt8]], to out: inout ByteQueue) {
        guard keys == nil, parts.count != 1 else {
            return write(opcode, parts.count == 1 ? parts[0] : Array(parts.joined()), to: &out)
        }
        let length = parts.reduce(0) { $0 + $1.count }
        out.reserve(Self.headerBytes + length)
        Self.writeHead(opcode, length: length, mask: 0, into: out.extend(by: Self.headBytes(length: length)))
        for part in parts { out.append(part) }
    }

    private mutating func write(
        _ opcode: FrameOpcode,
        _ payload: UnsafeRawBufferPointer,
        to out: inout ByteQueue
    ) {
        let key = keys?.next()
        let headBytes = Self.headBytes(length: payload.count) + (key == nil ? 0 : 4)
        // The frame is written at once. Each append would reserve memory again, which costs more than a small message.
        let target = out.extend(by: headBytes + payload.count)
        Self.writeHead(opcode, length: payload.count, mask: key == nil ? 0 : 0x80, into: target)
        let rest = UnsafeMutableRawBufferPointer(rebasing: target[headBytes...])
        if let key {
            target.storeBytes(of: key.littleEndian, toByteOffset: headBytes - 4, as: UInt32.self)
            FrameMask.apply(key, to: payload, into: rest)
        } else {
            rest.copyMemory(from: payload)
        }
    }

    /// Returns the number of bytes of the opcode and the length.
    private static func headBytes(length: Int) -> Int {
        switch length {
        case ...125: 2
        case ...Int(UInt16.max): 4
        default: 10
        }
    }

    /// Writes the opcode and the length of a final frame.
    ///
    /// - Parameters:
    ///   - mask: 128 if the payload is masked, otherwise 0.
    ///   - target: At least as many bytes as ``headBytes(length:)`` returns.
    private static func writeHead(
        _ opcode: FrameOpcode,
        length: Int,
        mask: UInt8,
        into target: UnsafeMutableRawBufferPointer
    ) {
        target[0] = 0x80 | opcode.rawValue
        switch length {
        case ...125:
            target[1] = mask | UInt8(length)
        case ...Int(UInt16.max):
            target[1] = mask | 126
            target.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
        default:
            target[1] = mask | 127
            target.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
    }

    /// Writes a close frame. A code that must not be sent is left out together with its reason. A reason that is too
    /// long is cut between characters.
    package mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteQueue) {
        var payload: [UInt8] = []
        if let code, CloseCode.isSendable(code) {
            payload = [UInt8(code >> 8), UInt8(code & 255)] + Array(Self.cut(reason).utf8)
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
    /// The random numbers, each of which contains two keys. The first `used` numbers have been used.
    private var numbers: [UInt64] = []
    private var used = 0
    /// The second key of the last number that was used; `nil` if that key has been used too.
    private var second: UInt32?
    private static let drawnNumbers = 32

    init(draw: @escaping @Sendable (Int) -> [UInt64]) { self.draw = draw }

    @inline(__always)
    mutating func next() -> UInt32 {
        if let key = second.take() { return key }
        if used == numbers.count {
            numbers = draw(Self.drawnNumbers)
            used = 0
        }
        let number = numbers[used]
        used += 1
        second = UInt32(truncatingIfNeeded: number >> 32)
        return UInt32(truncatingIfNeeded: number)
    }
}
