#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system's random bytes, many at a time: the standard library asks the system for each number.
enum SystemEntropy {
    /// - Returns: Whether all of it was filled.
    @Sendable
    static func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        #if canImport(Darwin)
            arc4random_buf(start, bytes.count)
        #else
            // No more than this is given at once (getentropy(3)).
            for offset in stride(from: 0, to: bytes.count, by: 256)
            where getentropy(start + offset, min(256, bytes.count - offset)) != 0 { return false }
        #endif
        return true
    }
}
