internal import COpenSSL

/// Authenticated encryption: AES-256 in Galois/Counter Mode (NIST SP 800-38D) through OpenSSL's EVP interface.
///
/// Sealed bytes are `nonce (12) ‖ ciphertext (as long as the plaintext) ‖ tag (16)`. The nonce is random and new for
/// each call, so one key should seal no more than 2³² messages (NIST SP 800-38D, section 8.3).
public enum AESGCM {
    /// The length of the nonce in front: 12 bytes.
    public static let nonceByteCount = 12
    /// The length of the tag at the end: 16 bytes.
    public static let tagByteCount = 16
    /// The number of bytes that sealing adds to a plaintext: 28.
    public static let overhead = nonceByteCount + tagByteCount

    /// Encrypts `plaintext`, and protects it and `authenticatedData` from alteration.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to encrypt; may be empty.
    ///   - key: The key, which ``open(_:key:authenticating:)`` needs again.
    ///   - authenticatedData: Bytes that are neither encrypted nor part of the result, but must be the same when
    ///     opened. Default: none.
    /// - Throws: ``CryptoError`` of kind `randomSourceFailed`, `inputTooLong` (2 GiB and more) or `libraryFailed`.
    public static func seal(
        _ plaintext: [UInt8],
        key: EncryptionKey,
        authenticating authenticatedData: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try seal(plaintext, key: key, authenticating: authenticatedData, nonce: SecureRandom.bytes(nonceByteCount))
    }

    /// Decrypts the result of ``seal(_:key:authenticating:)``.
    ///
    /// - Throws: ``CryptoError/Kind/authenticationFailed`` if a single bit of `sealed` or `authenticatedData` differs,
    ///   the key is another one, or `sealed` is shorter than nonce and tag; `libraryFailed` otherwise.
    public static func open(
        _ sealed: [UInt8],
        key: EncryptionKey,
        authenticating authenticatedData: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= overhead else { throw CryptoError(.authenticationFailed) }
        let context = try CipherContext(.decrypt, key: key, nonce: Array(sealed.prefix(nonceByteCount)))
        try context.authenticate(authenticatedData)
        var plaintext = try context.update(Array(sealed[nonceByteCount..<(sealed.count - tagByteCount)]))
        guard try context.verify(tag: Array(sealed.suffix(tagByteCount))) else {
            // The plaintext of an altered message must not be used, so it is erased.
            plaintext.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
            throw CryptoError(.authenticationFailed)
        }
        return plaintext
    }

    /// Encrypts with a given nonce, for known-answer tests. A nonce must never be used twice with one key.
    package static func seal(
        _ plaintext: [UInt8],
        key: EncryptionKey,
        authenticating authenticatedData: [UInt8],
        nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let context = try CipherContext(.encrypt, key: key, nonce: nonce)
        try context.authenticate(authenticatedData)
        let ciphertext = try context.update(plaintext)
        return nonce + ciphertext + (try context.finalTag())
    }
}

/// One `EVP_CIPHER_CTX` for one message, which it frees when it is released.
private struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private let context: OpaquePointer

    init(_ direction: Direction, key: EncryptionKey, nonce: [UInt8]) throws(CryptoError) {
        precondition(nonce.count == AESGCM.nonceByteCount)
        let context = EVP_CIPHER_CTX_new()
        let status = key.withUnsafeBytes { keyBytes -> Int32 in
            guard let context, aes256GCM.cipher != nil else { return 0 }
            let start = keyBytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_CipherInit_ex2(context, aes256GCM.cipher, start, nonce, direction.rawValue, nil)
        }
        // Owned only once it is ready, because a noncopyable value can't be half initialized.
        guard let context, status == 1 else {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
            throw CryptoError(.libraryFailed)
        }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func authenticate(_ data: [UInt8]) throws(CryptoError) {
        guard !data.isEmpty else { return }
        var written: Int32 = 0
        try check(EVP_CipherUpdate(context, nil, &written, data, length(of: data)))
    }

    func update(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !input.isEmpty else { return [] }
        var output = [UInt8](repeating: 0, count: input.count)
        var written: Int32 = 0
        try check(EVP_CipherUpdate(context, &output, &written, input, length(of: input)))
        return output
    }

    func finalTag() throws(CryptoError) -> [UInt8] {
        var none: [UInt8] = [0]
        var written: Int32 = 0
        try check(EVP_CipherFinal_ex(context, &none, &written))
        var tag = [UInt8](repeating: 0, count: AESGCM.tagByteCount)
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag))
        return tag
    }

    func verify(tag: [UInt8]) throws(CryptoError) -> Bool {
        var tag = tag
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag))
        var none: [UInt8] = [0]
        var written: Int32 = 0
        let status = EVP_CipherFinal_ex(context, &none, &written)
        if status != 1 { ERR_clear_error() }
        return status == 1
    }

    private func length(of bytes: [UInt8]) throws(CryptoError) -> Int32 {
        guard let count = Int32(exactly: bytes.count) else { throw CryptoError(.inputTooLong) }
        return count
    }

    /// Throws if a call failed, and clears OpenSSL's per-thread error queue for later callers on this thread.
    private func check(_ status: Int32) throws(CryptoError) {
        guard status == 1 else {
            ERR_clear_error()
            throw CryptoError(.libraryFailed)
        }
    }
}

/// `@unchecked Sendable`: `EVP_CIPHER`s are immutable after the fetch, and OpenSSL documents sharing them between
/// threads as safe.
private struct FetchedCipher: @unchecked Sendable {
    let cipher: OpaquePointer?
}

/// The cipher, fetched once; `nil` if the providers of this OpenSSL have no AES-GCM.
private let aes256GCM = FetchedCipher(cipher: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
