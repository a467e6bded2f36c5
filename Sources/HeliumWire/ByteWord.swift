/// Eight bytes that are examined at once.
///
/// A result has the highest bit of each byte for which it holds, and no others. The first byte in memory is the lowest.
struct ByteWord {
    /// The bytes as they are.
    let word: UInt64

    @inline(__always) private static var highs: UInt64 { 0x8080_8080_8080_8080 }
    @inline(__always) private static var lows: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

    /// The eight bytes from `offset` on.
    @inline(__always)
    init(_ start: UnsafeRawPointer, _ offset: Int) {
        word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A word of eight equal bytes.
    @inline(__always)
    private static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The bytes whose lower seven bits are at least `bound`, in the highest bits. No sum carries into the next byte.
    @inline(__always)
    private static func atLeast(_ bound: UInt8, _ sevenBits: UInt64) -> UInt64 { sevenBits &+ all(0x80 &- bound) }

    /// The bytes that are less than 14: the line ends, the zero byte, the tab, and seven more.
    @inline(__always)
    var controls: UInt64 { ~(Self.atLeast(14, word & Self.lows) | word) & Self.highs }

    /// The bytes that are not visible: those up to the space, and DEL. Those above 127 are visible.
    @inline(__always)
    var invisible: UInt64 {
        let bits = word & Self.lows
        return (~Self.atLeast(0x21, bits) | Self.atLeast(0x7F, bits)) & ~word & Self.highs
    }

    /// The bytes with letters in lower case.
    @inline(__always)
    var lowercased: UInt64 {
        let bits = word & Self.lows
        let capitals = Self.atLeast(0x41, bits) & ~Self.atLeast(0x5B, bits) & ~word & Self.highs
        return word | capitals &>> 2
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the predicate is true for a byte.
    ///
    /// - Parameter candidates: Marks the bytes for which the predicate may be true.
    @inline(__always)
    func contains(_ candidates: (ByteWord) -> UInt64, where isFound: (UInt8) -> Bool) -> Bool {
        guard let start = baseAddress, count >= 8 else { return contains(where: isFound) }
        // The last word overlaps with the one before.
        var marks: UInt64 = 0
        var index = 0
        while index < count &- 8 {
            marks |= candidates(ByteWord(start, index))
            index &+= 8
        }
        marks |= candidates(ByteWord(start, count &- 8))
        return marks != 0 && contains(where: isFound)
    }
}
