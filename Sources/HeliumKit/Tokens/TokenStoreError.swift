/// The error of a token store that could not be read or written. Its text contains no token, no key and none of the
/// store's contents.
public struct TokenStoreError: Error, Hashable, Sendable {
    /// The kind of a failure. Later versions may add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name. It is stable and suitable as a label of a metric.
        public let description: String

        /// The store exists and cannot be read: no permission, or not a regular file.
        public static let unreadable = Kind(description: "unreadable")
        /// The store cannot be written: no permission, no directory, no space. The previous contents are unchanged.
        public static let unwritable = Kind(description: "unwritable")
        /// The contents are not a token store, or one of a later version.
        public static let corrupt = Kind(description: "corrupt")
        /// The encryption key is wrong, the contents were altered, or only one of a key and encryption is present.
        public static let undecryptable = Kind(description: "undecryptable")
        /// The contents exceed the store's maximum size.
        public static let tooLarge = Kind(description: "tooLarge")
        /// Another process held the lock until the deadline.
        public static let lockTimedOut = Kind(description: "lockTimedOut")
        /// The token is not allowed in a header field, so it could not be read again.
        public static let invalidToken = Kind(description: "invalidToken")
        /// The encryption failed; see ``TokenStoreError/reason``.
        public static let encryptionFailed = Kind(description: "encryptionFailed")
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The location of the store: a path or a suite's name.
    public let location: String
    /// One sentence that describes the failure.
    public let reason: String
    /// The operating system's error number; `nil` if the failure has another cause.
    public let systemError: Int32?

    package init(_ kind: Kind, at location: String, _ reason: String, systemError: Int32? = nil) {
        self.kind = kind
        self.location = location
        self.reason = reason
        self.systemError = systemError
    }
}

extension TokenStoreError: CustomStringConvertible {
    /// The kind, the location and the reason.
    public var description: String {
        let system = systemError.map { " (error \($0))" } ?? ""
        return "token store \(location): \(kind): \(reason)\(system)"
    }
}
