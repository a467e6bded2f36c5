/// The error thrown when an embedded server cannot start, or stops unexpectedly.
public struct EmbeddedServerError: Error, Sendable {
    /// The kind of an error. Later versions may add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        /// The configuration contains an invalid value.
        public static let invalidConfiguration = Self(description: "invalid configuration")
        /// The certificate or the key cannot be read, or they do not match.
        public static let unusableCertificate = Self(description: "unusable certificate")
        /// The SQLite file cannot be opened or is not a database.
        public static let unusableStore = Self(description: "unusable store")
        /// The SQLite file was damaged, or an access failed unexpectedly, while the server ran.
        public static let failedStore = Self(description: "failed store")
        /// The server cannot listen on the address or port.
        public static let cannotListen = Self(description: "cannot listen")
        /// The server ended before it was ready, or it was run a second time.
        public static let notRunning = Self(description: "not running")
    }

    /// The kind of the error.
    public let kind: Kind
    /// The cause of the error, in words. It contains no secrets.
    public let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

extension EmbeddedServerError: CustomStringConvertible {
    /// The kind and the reason.
    public var description: String { "\(kind): \(reason)" }
}
