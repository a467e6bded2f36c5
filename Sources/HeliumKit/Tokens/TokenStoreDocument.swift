package import HeliumCrypto
internal import HeliumEssentials

/// The contents of a persistent store: JSON, version 1, encrypted with AES-256-GCM if there is a key.
package struct TokenStoreDocument: Codable {
    private struct Entry: Codable {
        let key: TokenStoreKey
        let registration: DeviceRegistration
    }

    private static let currentVersion = 1
    /// The prefix of encrypted contents, which is authenticated with them. JSON cannot begin like this.
    private static let magic = Array("HELIUM-TOKENS-1\n".utf8)

    private var version = Self.currentVersion
    private var entries: [Entry] = []

    package init() {}

    package subscript(key: TokenStoreKey) -> DeviceRegistration? {
        get { entries.first { $0.key == key }?.registration }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append(Entry(key: key, registration: newValue)) }
        }
    }

    /// Decodes a store's bytes. With a key, unencrypted contents are rejected. Otherwise an attacker with write access
    /// could disable the encryption.
    package init(bytes: [UInt8], key: EncryptionKey?, location: String) throws(TokenStoreError) {
        let isSealed = bytes.starts(with: Self.magic)
        guard isSealed == (key != nil) else {
            let reason = isSealed ? "it is encrypted and no key is set" : "it is not encrypted although a key is set"
            throw TokenStoreError(.undecryptable, at: location, reason)
        }
        var plain = bytes
        if let key {
            do {
                let sealed = Array(bytes.dropFirst(Self.magic.count))
                plain = try AESGCM.open(sealed, key: key, authenticating: Self.magic)
            } catch {
                throw TokenStoreError(.undecryptable, at: location, error.description)
            }
        }
        // The decoder's error may quote the contents, so it is not passed on.
        guard let document = try? JSONDecoder().decode(Self.self, from: Data(plain)) else {
            throw TokenStoreError(.corrupt, at: location, "it is not the JSON of a token store")
        }
        guard document.version == Self.currentVersion else {
            throw TokenStoreError(.corrupt, at: location, "it has the unsupported version \(document.version)")
        }
        self = document
    }

    /// Returns the bytes to store.
    package func bytes(key: EncryptionKey?, location: String) throws(TokenStoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let plain = try? encoder.encode(self) else {
            throw TokenStoreError(.unwritable, at: location, "the registrations cannot be encoded")
        }
        guard let key else { return Array(plain) }
        do {
            return try Self.magic + AESGCM.seal(Array(plain), key: key, authenticating: Self.magic)
        } catch {
            throw TokenStoreError(.encryptionFailed, at: location, error.description)
        }
    }
}
