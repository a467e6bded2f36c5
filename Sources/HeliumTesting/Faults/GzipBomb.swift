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
        var left = max(size, 0)
        while left % 258 != 0 || left == size && left > 0 {
            bomb.putCode(0x30 + 0x61, 8)  // the letter "a"
            left -= 1
        }
        var copies = left / 258
        if copies >= 16 {
            // Eight copies are 13 whole bytes, and eight copies after eight others always have the same bytes.
            bomb.putCopies(8)
            let start = bomb.out.count
            bomb.putCopies(8)
            var repeated = Data(bomb.out[start...])
            var rounds = copies / 8 - 2
            while rounds > 0 {
                if rounds & 1 == 1 { bomb.out += repeated }
                repeated += repeated
                rounds >>= 1
            }
            copies %= 8
        }
        bomb.putCopies(copies)
        bomb.putCode(0, 7)  // the end
        bomb.put(0, (8 - bomb.bits) % 8)
        return isWhole ? bomb.out + trailer(of: max(size, 0)) : bomb.out
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

    /// Writes a number of copies of the last 258 letters.
    private mutating func putCopies(_ count: Int) {
        for _ in 0..<count {
            putCode(0b1100_0101, 8)  // length 258
            putCode(0, 5)  // from one byte before
        }
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
