internal import COpenSSL

/// SHA-256 (FIPS 180-4) through OpenSSL's EVP interface.
///
/// An instance owns one `EVP_MD_CTX` that is reused for several messages: call `update` as often as needed, then
/// ``finalize()``, after which the instance is ready for the next message. It is not `Sendable` and has one owner at a
/// time. To share it, keep it under a lock.
public struct SHA256: ~Copyable {
    /// The length of a digest: 32 bytes.
    public static let byteCount = 32

    private let context: OpaquePointer

    /// Creates a hasher that is ready for its first message.
    public init() {
        guard let context = EVP_MD_CTX_new() else { fatalError("OpenSSL is out of memory") }
        self.context = context
        reset()
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Discards the bytes added so far.
    public mutating func reset() {
        must(EVP_DigestInit_ex2(context, sha256.md, nil))
    }

    /// Replaces the state with that of `other`, discarding the bytes added so far.
    ///
    /// Use it for messages with a common beginning: add the beginning once to one hasher and start each message from
    /// its state. That costs no more than ``reset()`` and saves hashing the beginning again.
    public mutating func reset(to other: borrowing SHA256) {
        must(EVP_MD_CTX_copy_ex(context, other.context))
    }

    /// Adds `bytes` to the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        must(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// Returns the digest of all added bytes, and resets the hasher.
    public mutating func finalize() -> Digest {
        let digest = finalizeWithoutReset()
        reset()
        return digest
    }

    /// Returns the digest of all added bytes. One of the `reset` methods must be called next.
    ///
    /// Use it in loops that call ``reset(to:)`` before each message.
    package mutating func finalizeWithoutReset() -> Digest {
        var digest = Digest()
        digest.withUnsafeMutableBytes { out in
            must(EVP_DigestFinal_ex(context, out.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
        }
        return digest
    }

    /// Returns the digest of `bytes`.
    public static func hash(_ bytes: some Sequence<UInt8>) -> Digest {
        var hasher = SHA256()
        let done: Void? = bytes.withContiguousStorageIfAvailable { hasher.update(UnsafeRawBufferPointer($0)) }
        if done == nil { Array(bytes).withUnsafeBytes { hasher.update($0) } }
        return hasher.finalize()
    }
}

extension SHA256 {
    /// A SHA-256 digest: 32 bytes.
    public struct Digest: Hashable, Sendable {
        // Four words hold the 32 bytes inline, which avoids an allocation when signing.
        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        init() {}

        mutating func withUnsafeMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
            Swift.withUnsafeMutableBytes(of: &words, body)
        }

        /// Calls `body` with the 32 bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try Swift.withUnsafeBytes(of: words, body)
        }

        /// The 32 bytes.
        public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

        /// The digest as 64 lower-case hexadecimal characters.
        public var hex: String { withUnsafeBytes { Hex.string($0) } }

        /// Returns whether the digests are equal. It always compares all four words, so that the time taken reveals
        /// nothing.
        public static func == (a: Self, b: Self) -> Bool {
            ((a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2) | (a.words.3 ^ b.words.3)) == 0
        }

        /// Hashes the digest's first word, which is as good as random.
        public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }
}

/// Stops the program if a call failed. With a valid context, a digest call fails only when memory runs out, and an
/// incomplete digest must not be used.
@inline(__always)
private func must(_ status: Int32) {
    if status != 1 { fatalError("OpenSSL could not compute SHA-256: out of memory") }
}

/// `@unchecked Sendable`: `EVP_MD`s are immutable after the fetch, and OpenSSL documents sharing them between threads
/// as safe.
private struct FetchedDigest: @unchecked Sendable {
    let md: OpaquePointer

    init() {
        guard let md = EVP_MD_fetch(nil, "SHA256", nil) else { fatalError("this OpenSSL has no SHA-256") }
        self.md = md
    }
}

/// The digest algorithm, fetched once because an implicit fetch doubles the cost of a short message.
private let sha256 = FetchedDigest()
