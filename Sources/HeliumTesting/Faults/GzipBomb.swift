package import Foundation

/// A gzip stream (RFC 1952) of one repeated letter, written bit by bit. Each byte decodes to about 160 bytes.
package struct GzipBomb {
    private var out = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    private var accumulator = 0
    private var bits = 0

    /// Returns bytes that decode to `size` letters.
    ///
    /// - Parameter isWhole: Whether the bytes end with the checksum. The default is `false`, because a client should
    ///   stop reading a bomb before its end.
    package static func bytes(decodingTo size: Int, isWhole: Bool = false) -> Data {
        var bomb = GzipBomb()
        bomb.put(1, 1)
        bomb.put(1, 2)  // fixed codes
        var left = size
        while left % 258 != 0 || left == size && left > 0 {
            bomb.putCode(0x30 + 0x61, 8)  // the letter "a"
            left -= 1
        }
        while left > 0 {
            bomb.putCode(0b1100_0101, 8)  // length 258
            bomb.putCode(0, 5)  // from one byte before
            left -= 258
        }
        bomb.putCode(0, 7)  // the end
        bomb.put(0, (8 - bomb.bits) % 8)
        return isWhole ? bomb.out + trailer(of: size) : bomb.out
    }

    /// Returns the checksum and the length (RFC 1952 §2.3.1).
    private static func trailer(of size: Int) -> Data {
        var checksum = UInt32.max
        for _ in 0..<size {
            checksum ^= 0x61
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        var trailer = Data()
        for value in [~checksum, UInt32(truncatingIfNeeded: size)] {
            withUnsafeBytes(of: value.littleEndian) { trailer.append(contentsOf: $0) }
        }
        return trailer
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

    /// Writes a Huffman code, most significant bit first (RFC 1951 §3.1.1).
    private mutating func putCode(_ code: Int, _ count: Int) {
        for bit in (0..<count).reversed() { put(code >> bit & 1, 1) }
    }
}
