#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system's random bytes in bulk. The standard library makes a system call for each number.
enum SystemEntropy {
    /// Fills memory with random bytes.
    ///
    /// - Returns: Whether all of it was filled.
    @Sendable
    static func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        #if canImport(Darwin)
            arc4random_buf(start, bytes.count)
        #else
            // One call returns at most this many bytes (getentropy(3)).
            for offset in stride(from: 0, to: bytes.count, by: 256)
            where getentropy(start + offset, min(256, bytes.count - offset)) != 0 { return false }
        #endif
        return true
    }
}
