/// Why an embedded server did not start, or stopped.
public struct EmbeddedServerError: Error, Sendable {
    /// The kinds of failures. More may come.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, from a fixed list.
        public let description: String

        /// The configuration holds a value that no server can run with.
        public static let invalidConfiguration = Self(description: "invalid configuration")
        /// The certificate or the key cannot be read, or do not fit each other.
        public static let unusableCertificate = Self(description: "unusable certificate")
        /// The SQLite file cannot be opened or is no database.
        public static let unusableStore = Self(description: "unusable store")
        /// The address or port cannot be listened on.
        public static let cannotListen = Self(description: "cannot listen")
        /// The server ended before it was ready, or it was run a second time.
        public static let notRunning = Self(description: "not running")
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What exactly went wrong, in words; holds no secret.
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
