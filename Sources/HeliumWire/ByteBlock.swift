/// Sixteen bytes that are examined at once.
struct ByteBlock {
    private typealias Bytes = SIMD16<UInt8>

    private let bytes: SIMD16<UInt8>

    /// The sixteen bytes from `offset` on.
    @inline(__always)
    init(_ start: UnsafeRawPointer, _ offset: Int) {
        bytes = start.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Bytes of a block.
    struct Marks {
        // Each byte is 0 or 255. The first is the lowest of the first half.
        private let halves: (UInt64, UInt64)

        @inline(__always)
        fileprivate init(_ mask: SIMDMask<SIMD16<Int8>>) {
            let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
            halves = (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
        }

        @inline(__always)
        var isEmpty: Bool { halves.0 | halves.1 == 0 }

        /// The index of the first byte. There must be one.
        @inline(__always)
        var first: Int {
            halves.0 != 0 ? halves.0.trailingZeroBitCount &>> 3 : 8 &+ halves.1.trailingZeroBitCount &>> 3
        }
    }

    /// The bytes that are less than 14: the line ends, the zero byte, the tab, and seven more.
    @inline(__always)
    var controls: Marks { Marks(bytes .< Bytes(repeating: 14)) }

    /// The bytes that are neither letters nor hyphens.
    @inline(__always)
    var unlikelyInNames: Marks {
        let letters = ((bytes | Bytes(repeating: 0x20)) &- Bytes(repeating: 0x61)) .< Bytes(repeating: 26)
        let hyphens = bytes .== Bytes(repeating: UInt8(ascii: "-"))
        return Marks(.!(letters .| hyphens))
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the first byte from `start` on that may not be in a token (RFC 9110 §5.6.2), or the end.
    @inline(__always)
    func endOfToken(from start: Int) -> Int {
        guard let base = baseAddress else { return start }
        var index = start
        while index < count {
            if count &- index >= 16 {
                let others = ByteBlock(base, index).unlikelyInNames
                if others.isEmpty {
                    index &+= 16
                    continue
                }
                index &+= others.first
            }
            guard self[index].isTokenCharacter else { return index }
            index &+= 1
        }
        return index
    }
}
