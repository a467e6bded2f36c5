internal import COpenSSL

/// SHA-256 (FIPS 180-4) through OpenSSL's EVP interface.
///
/// An instance owns one `EVP_MD_CTX` that is reused from message to message: `update` as often as needed, then
/// ``finalize()``, after which the instance is ready for the next message.
/// It is not `Sendable`: one owner at a time (keep it under a lock to share it).
public struct SHA256: ~Copyable {
    /// The length of a digest: 32 bytes.
    public static let byteCount = 32

    private let context: OpaquePointer

    /// Makes a hasher ready for its first message.
    public init() {
        guard let context = EVP_MD_CTX_new() else { fatalError("OpenSSL is out of memory") }
        self.context = context
        reset()
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Forgets what was absorbed so far.
    public mutating func reset() {
        must(EVP_DigestInit_ex2(context, sha256.md, nil))
    }

    /// Takes over what `other` has absorbed so far, and forgets its own.
    ///
    /// For messages with a common beginning: absorb the beginning once and start each message from its state. That
    /// costs no more than ``reset()`` and saves hashing the beginning again.
    public mutating func reset(to other: borrowing SHA256) {
        must(EVP_MD_CTX_copy_ex(context, other.context))
    }

    /// Absorbs `bytes`.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        must(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of all absorbed bytes; the hasher starts afresh.
    public mutating func finalize() -> Digest {
        let digest = finalizeWithoutReset()
        reset()
        return digest
    }

    /// The digest of all absorbed bytes; nothing may follow but one of the `reset`s.
    ///
    /// For loops that ``reset(to:)`` before each message anyway.
    package mutating func finalizeWithoutReset() -> Digest {
        var digest = Digest()
        digest.withUnsafeMutableBytes { out in
            must(EVP_DigestFinal_ex(context, out.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
        }
        return digest
    }

    /// The digest of `bytes`.
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
        // Four words hold the 32 bytes inline: no allocation on the signing path.
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

        /// 64 lower-case hexadecimal characters.
        public var hex: String { withUnsafeBytes { Hex.string($0) } }

        /// Compares all four words whatever they hold, so that the time taken tells nothing.
        public static func == (a: Self, b: Self) -> Bool {
            ((a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2) | (a.words.3 ^ b.words.3)) == 0
        }

        /// Feeds the digest's first word, which is as good as random.
        public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }
}

/// A digest call with a valid context fails only when memory runs out; a digest that was not computed must not pass.
@inline(__always)
private func must(_ status: Int32) {
    if status != 1 { fatalError("OpenSSL could not compute SHA-256: out of memory") }
}

/// `EVP_MD`s are immutable after the fetch and OpenSSL documents sharing them between threads as safe.
private struct FetchedDigest: @unchecked Sendable {
    let md: OpaquePointer

    init() {
        guard let md = EVP_MD_fetch(nil, "SHA256", nil) else { fatalError("this OpenSSL has no SHA-256") }
        self.md = md
    }
}

/// Fetched once: an implicit fetch doubles the cost of a short message.
private let sha256 = FetchedDigest()
