internal import Foundation
internal import HeliumCore
internal import NIOCore

/// Writes the frames of a client: each masked with a key of its own (RFC 6455 section 5.3). A value without I/O.
struct FrameWriter {
    /// The most bytes before a payload: two, a long length, the key.
    static let headerBytes = 14

    private let random: RandomSource
    /// Numbers of two keys each, of which the first are used. Drawn together: a system call for each would cost more than
    /// to mask a small message.
    private var numbers: [UInt64] = []
    private var usedKeys = 0
    private static let drawnNumbers = 32

    init(random: RandomSource) { self.random = random }

    mutating func write(_ message: WebSocketMessage, to out: inout ByteBuffer) {
        switch message {
        case .text(var text):
            text.withUTF8 { write(.text, UnsafeRawBufferPointer($0), to: &out) }
        case .binary(let data):
            data.withUnsafeBytes { write(.binary, $0, to: &out) }
        }
    }

    mutating func write(_ opcode: FrameHeader.Opcode, _ payload: ByteBuffer, to out: inout ByteBuffer) {
        payload.withUnsafeReadableBytes { write(opcode, $0, to: &out) }
    }

    private mutating func write(
        _ opcode: FrameHeader.Opcode,
        _ payload: UnsafeRawBufferPointer,
        to out: inout ByteBuffer
    ) {
        out.writeInteger(0x80 | opcode.rawValue)
        switch payload.count {
        case 0...125:
            out.writeInteger(0x80 | UInt8(payload.count))
        case 126...Int(UInt16.max):
            out.writeMultipleIntegers(UInt8(0x80 | 126), UInt16(payload.count))
        default:
            out.writeMultipleIntegers(UInt8(0x80 | 127), UInt64(payload.count))
        }
        let key = nextKey()
        out.writeInteger(key, endianness: .little)
        out.writeWithUnsafeMutableBytes(minimumWritableBytes: payload.count) { target in
            Self.mask(payload, with: key, into: target)
            return payload.count
        }
    }

    private mutating func nextKey() -> UInt32 {
        if usedKeys == numbers.count * 2 {
            numbers = random.bits(count: Self.drawnNumbers)
            usedKeys = 0
        }
        let number = numbers[usedKeys / 2]
        defer { usedKeys += 1 }
        return UInt32(truncatingIfNeeded: usedKeys % 2 == 0 ? number : number >> 32)
    }

    /// Copies `source` to `target`, every fourth byte with the same byte of the key, whose first is its lowest.
    static func mask(_ source: UnsafeRawBufferPointer, with key: UInt32, into target: UnsafeMutableRawBufferPointer) {
        let wide = UInt64(key) << 32 | UInt64(key)
        var index = 0
        while index + 8 <= source.count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(
                of: (UInt64(littleEndian: word) ^ wide).littleEndian,
                toByteOffset: index,
                as: UInt64.self
            )
            index += 8
        }
        while index < source.count {
            target[index] = source[index] ^ UInt8(truncatingIfNeeded: key >> UInt32(index % 4 * 8))
            index += 1
        }
    }
}
