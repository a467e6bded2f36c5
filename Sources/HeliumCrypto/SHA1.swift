internal import COpenSSL

/// SHA-1 (FIPS 180-4), for the checksums that old protocols name: it protects against accidents, not against people.
package enum SHA1 {
    /// The digest of `bytes`: 40 lower-case hexadecimal characters.
    package static func hex(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 20)
        let status = bytes.withUnsafeBytes { input in
            digest.withUnsafeMutableBytes { out in
                EVP_Digest(
                    input.baseAddress,
                    input.count,
                    out.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    nil,
                    EVP_sha1(),
                    nil
                )
            }
        }
        if status != 1 { fatalError("OpenSSL could not compute SHA-1: out of memory") }
        return digest.withUnsafeBytes { Hex.string($0) }
    }
}
