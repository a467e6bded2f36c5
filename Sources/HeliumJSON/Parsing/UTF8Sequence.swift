/// Functions for UTF-8 beyond ASCII.
enum UTF8Sequence {
    /// Returns the length of the well-formed sequence that begins with a byte above 0x7F (Unicode 16, table 3-7), or 0
    /// if it is ill-formed.
    @inline(__always)
    static func length(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        let lead = bytes[0]
        if lead < 0xC2 { return 0 }
        if lead < 0xE0 { return available >= 2 && isContinuation(bytes[1]) ? 2 : 0 }
        if lead < 0xF0 {
            guard available >= 3, isContinuation(bytes[1]), isContinuation(bytes[2]) else { return 0 }
            if lead == 0xE0, bytes[1] < 0xA0 { return 0 }  // Longer than needed.
            if lead == 0xED, bytes[1] > 0x9F { return 0 }  // A surrogate.
            return 3
        }
        guard lead < 0xF5, available >= 4, isContinuation(bytes[1]), isContinuation(bytes[2]), isContinuation(bytes[3])
        else { return 0 }
        if lead == 0xF0, bytes[1] < 0x90 { return 0 }  // Longer than needed.
        if lead == 0xF4, bytes[1] > 0x8F { return 0 }  // Beyond U+10FFFF.
        return 4
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
