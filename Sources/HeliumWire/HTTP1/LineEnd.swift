/// The end of a line, found in one pass over its bytes.
struct LineEnd {
    /// The index after the line feed.
    let index: Int
    /// Whether the line has no zero byte (RFC 9110 §5.5), and no carriage return except before the line feed
    /// (RFC 9112 §2.2).
    let isClean: Bool

    /// Returns the end of the line that begins at `start`; `nil` if there is no line feed.
    ///
    /// Eight bytes are examined at once. The few that are less than 14 are the line ends, the invalid ones, and tabs.
    @inline(__always)
    static func find(in bytes: UnsafeRawBufferPointer, from start: Int) -> LineEnd? {
        var index = start
        var isClean = true
        let count = bytes.count
        while count - index >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // The highest bit of each byte that is less than 14; after the first such byte there may be others.
            var marks = (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
            while marks != 0 {
                let place = index &+ marks.trailingZeroBitCount / 8
                if let end = step(bytes, at: place, &isClean) { return end }
                marks &= marks &- 1
            }
            index += 8
        }
        while index < count {
            if let end = step(bytes, at: index, &isClean) { return end }
            index += 1
        }
        return nil
    }

    /// Returns the end of the line if it begins at `index`. Notes in `isClean` if the byte there is invalid.
    @inline(__always)
    private static func step(_ bytes: UnsafeRawBufferPointer, at index: Int, _ isClean: inout Bool) -> LineEnd? {
        switch bytes[index] {
        case 0x0D where index + 1 < bytes.count:
            if bytes[index + 1] == 0x0A { return LineEnd(index: index + 2, isClean: isClean) }
            isClean = false
        case 0x0A: return LineEnd(index: index + 1, isClean: isClean)
        case 0: isClean = false
        default: break
        }
        return nil
    }
}
