/// The end of a line, found in one pass over its bytes.
struct LineEnd {
    /// The index after the line feed.
    let index: Int
    /// Whether the line has no zero byte (RFC 9110 §5.5), and no carriage return except before the line feed
    /// (RFC 9112 §2.2).
    let isClean: Bool

    /// Returns the end of the line whose bytes from `start` on have not been examined; `nil` if there is no line feed.
    ///
    /// Sixteen bytes are examined at once. The few that are less than 14 are the line ends, the invalid ones, and tabs.
    @inline(__always)
    static func find(in bytes: UnsafeRawBufferPointer, from start: Int) -> LineEnd? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start
        let count = bytes.count
        while count &- index >= 16 {
            let controls = ByteBlock(base, index).controls
            if controls.isEmpty {
                index &+= 16
                continue
            }
            index &+= controls.first
            if bytes[index] == 0x0D, index &+ 1 < count, bytes[index &+ 1] == 0x0A {
                return LineEnd(index: index &+ 2, isClean: true)
            }
            guard bytes[index] == 0x09 else { break }
            index &+= 1
        }
        return findSlowly(in: bytes, from: index)
    }

    /// Examines one byte after the other.
    @inline(never)
    private static func findSlowly(in bytes: UnsafeRawBufferPointer, from start: Int) -> LineEnd? {
        var isClean = true
        for index in start..<max(start, bytes.count) {
            switch bytes[index] {
            case 0x0D where index + 1 < bytes.count && bytes[index + 1] != 0x0A: isClean = false
            case 0x0A: return LineEnd(index: index + 1, isClean: isClean)
            case 0: isClean = false
            default: break
            }
        }
        return nil
    }
}
