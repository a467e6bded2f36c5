/// The error of sealing, opening or generating random bytes. Its text contains no key, no plaintext and no other bytes.
public struct CryptoError: Error, Hashable, Sendable {
    /// The kind of a failure. Later versions may add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name. It is stable and suitable as a label of a metric.
        public let description: String

        /// The sealed bytes do not match the key and the authenticated data: they were altered or cut, or the key is
        /// another one. AES-GCM can't distinguish these cases (NIST SP 800-38D, section 7.2).
        public static let authenticationFailed = Kind(description: "authenticationFailed")
        /// The key does not have 32 bytes.
        public static let invalidKeyLength = Kind(description: "invalidKeyLength")
        /// The input is longer than one call of the algorithm accepts.
        public static let inputTooLong = Kind(description: "inputTooLong")
        /// OpenSSL's random source has no entropy, or failed.
        public static let randomSourceFailed = Kind(description: "randomSourceFailed")
        /// An OpenSSL call failed: out of memory, or an algorithm that its configuration (for example a provider) does
        /// not include.
        public static let libraryFailed = Kind(description: "libraryFailed")
    }

    /// The kind of the failure.
    public let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension CryptoError: CustomStringConvertible {
    /// A sentence that describes the failure.
    public var description: String {
        switch kind {
        case .authenticationFailed: "the encrypted bytes were changed, truncated, or encrypted with another key"
        case .invalidKeyLength: "an AES-256 key must have 32 bytes"
        case .inputTooLong: "too many bytes for one AES-GCM message"
        case .randomSourceFailed: "OpenSSL's random source failed"
        default: "OpenSSL failed"
        }
    }
}
