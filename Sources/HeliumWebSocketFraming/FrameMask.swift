/// Masking (RFC 6455 §5.3): every byte of a payload is combined with one of the key's four. Masking twice restores the
/// payload.
enum FrameMask {
    /// Copies `source` to `target`, combining every fourth byte with the same byte of the key. The key's first byte is
    /// its lowest. Both may be the same memory.
    static func apply(_ key: UInt32, to source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        // Read once, because it is computed from two addresses. No index exceeds it, so none overflows.
        let count = source.count
        let wide = UInt64(key) << 32 | UInt64(key)
        var index = 0
        let block = SIMD4(repeating: wide.littleEndian)
        while index &+ 32 <= count {
            let words = source.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            target.storeBytes(of: words ^ block, toByteOffset: index, as: SIMD4<UInt64>.self)
            index &+= 32
        }
        while index &+ 8 <= count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(
                of: (UInt64(littleEndian: word) ^ wide).littleEndian,
                toByteOffset: index,
                as: UInt64.self
            )
            index &+= 8
        }
        if index &+ 4 <= count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            target.storeBytes(
                of: (UInt32(littleEndian: word) ^ key).littleEndian,
                toByteOffset: index,
                as: UInt32.self
            )
            index &+= 4
        }
        while index < count {
            target[index] = source[index] ^ UInt8(truncatingIfNeeded: key >> UInt32(index % 4 * 8))
            index += 1
        }
    }

    /// Returns the key for a part that begins `offset` bytes into the payload.
    static func key(_ key: UInt32, at offset: Int) -> UInt32 {
        let shift = UInt32(offset % 4 * 8)
        return shift == 0 ? key : key >> shift | key << (32 - shift)
    }

    /// Masks or unmasks `bytes` in place.
    static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer) {
        if key != 0 { apply(key, to: UnsafeRawBufferPointer(bytes), into: bytes) }
    }
}
