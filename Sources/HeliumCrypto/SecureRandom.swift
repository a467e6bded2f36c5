internal import COpenSSL

/// Random bytes for keys and nonces, from OpenSSL's generator (`RAND_bytes`, NIST SP 800-90A).
public enum SecureRandom {
    /// Returns `count` random bytes.
    ///
    /// - Parameter count: The number of bytes, from 0 to 2,147,483,647 (`Int32.max`), the most that one call of OpenSSL
    ///   returns.
    /// - Throws: ``CryptoError/Kind/randomSourceFailed`` if the generator can't be seeded, and for a count out of range.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard 0...Int(Int32.max) ~= count else { throw CryptoError(.randomSourceFailed) }
        var bytes = [UInt8](repeating: 0, count: count)
        guard bytes.withUnsafeMutableBytes({ fill($0) }) else { throw CryptoError(.randomSourceFailed) }
        return bytes
    }

    /// Fills `out` with random bytes. Returns `false` if the generator failed, in which case the contents must not be
    /// used.
    static func fill(_ out: UnsafeMutableRawBufferPointer) -> Bool {
        guard let base = out.baseAddress, !out.isEmpty else { return true }
        guard let count = Int32(exactly: out.count) else { return false }
        let status = RAND_bytes(base.assumingMemoryBound(to: UInt8.self), count)
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
