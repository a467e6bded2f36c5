internal import COpenSSL

/// A key for AES-256: 32 secret bytes, overwritten when the last copy is released.
///
/// Neither `description` nor `dump` shows it.
public struct EncryptionKey: Sendable {
    /// The length of a key: 32 bytes.
    public static let byteCount = 32

    private let storage: Storage

    /// Creates a key from bytes.
    ///
    /// The bytes must be indistinguishable from random ones (from ``random()`` or a key derivation). Do not use a
    /// password as a key.
    ///
    /// - Throws: ``CryptoError/Kind/invalidKeyLength`` unless there are 32 bytes.
    public init(_ bytes: some Sequence<UInt8>) throws(CryptoError) {
        var copy = Array(bytes)
        defer { copy.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        guard copy.count == Self.byteCount else { throw CryptoError(.invalidKeyLength) }
        storage = Storage()
        copy.withUnsafeBytes { storage.bytes.copyMemory(from: $0) }
    }

    private init(_ storage: Storage) { self.storage = storage }

    /// Creates a new random key.
    ///
    /// - Throws: ``CryptoError/Kind/randomSourceFailed``.
    public static func random() throws(CryptoError) -> Self {
        let storage = Storage()
        guard SecureRandom.fill(storage.bytes) else { throw CryptoError(.randomSourceFailed) }
        return Self(storage)
    }

    /// Calls `body` with the 32 bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
    /// A fixed text without the key.
    public var description: String { "EncryptionKey(redacted)" }

    /// No children, so that `dump` shows no byte.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// `@unchecked Sendable`: the bytes are written only before the object is shared (by `EncryptionKey`'s initialisers),
/// and erased after the last reference has been released.
private final class Storage: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: EncryptionKey.byteCount, alignment: 16)

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }
}
