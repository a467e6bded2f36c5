/// Why sealing, opening or drawing random bytes failed. Its text holds no key, no plaintext and no bytes.
public struct CryptoError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, new members may come.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, fit for a metric's label.
        public let description: String

        /// The sealed bytes are not what was sealed with this key and this authenticated data: altered, cut, or another
        /// key. AES-GCM cannot tell which (NIST SP 800-38D §7.2).
        public static let authenticationFailed = Kind(description: "authenticationFailed")
        /// A key does not have 32 bytes.
        public static let invalidKeyLength = Kind(description: "invalidKeyLength")
        /// More bytes than one call of the algorithm takes.
        public static let inputTooLong = Kind(description: "inputTooLong")
        /// OpenSSL's random source has no entropy, or failed.
        public static let randomSourceFailed = Kind(description: "randomSourceFailed")
        /// OpenSSL refused a call: no memory, or an algorithm that its configuration (for instance a provider) leaves out.
        public static let libraryFailed = Kind(description: "libraryFailed")
    }

    /// What kind of failure it is.
    public let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension CryptoError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch kind {
        case .authenticationFailed: "the sealed bytes were altered, cut, or sealed with another key"
        case .invalidKeyLength: "an AES-256 key must have 32 bytes"
        case .inputTooLong: "too many bytes for one AES-GCM message"
        case .randomSourceFailed: "OpenSSL's random source failed"
        default: "OpenSSL refused the operation"
        }
    }
}
