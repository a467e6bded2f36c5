internal import COpenSSL

/// SHA-1 (FIPS 180-4), for the checksums of old protocols. It detects accidental changes, but not deliberate ones.
///
/// An instance hashes one message, which may be added in parts.
package struct SHA1: ~Copyable {
    private let context: OpaquePointer

    /// Creates a hasher without any bytes.
    package init() {
        guard let context = EVP_MD_CTX_new() else { fatalError("OpenSSL is out of memory") }
        self.context = context
        Self.must(EVP_DigestInit_ex2(context, EVP_sha1(), nil))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds `bytes` to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        Self.must(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// Returns the digest of all added bytes: 20 bytes. Nothing may be added afterwards.
    package mutating func finalized() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        digest.withUnsafeMutableBytes { out in
            Self.must(EVP_DigestFinal_ex(context, out.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
        }
        return digest
    }

    /// Returns the digest of all added bytes: 40 lower-case hexadecimal characters. Nothing may be added afterwards.
    package mutating func finalizedHex() -> String { finalized().withUnsafeBytes { Hex.string($0) } }

    /// Returns the digest of `bytes`: 20 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA1()
        bytes.withUnsafeBytes { hasher.update($0) }
        return hasher.finalized()
    }

    /// Returns the digest of `bytes`: 40 lower-case hexadecimal characters.
    package static func hex(of bytes: [UInt8]) -> String {
        var hasher = SHA1()
        bytes.withUnsafeBytes { hasher.update($0) }
        return hasher.finalizedHex()
    }

    private static func must(_ status: Int32) {
        if status != 1 { fatalError("OpenSSL could not compute SHA-1: out of memory") }
    }
}
