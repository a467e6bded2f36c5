/// Why a token store could not be read or written. Its text holds no token, no key and none of the store's contents.
public struct TokenStoreError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, new members may come.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, fit for a metric's label.
        public let description: String

        /// The store exists and cannot be read: no permission, or not a regular file.
        public static let unreadable = Kind(description: "unreadable")
        /// The store cannot be written: no permission, no directory, no space. What was stored before is still there.
        public static let unwritable = Kind(description: "unwritable")
        /// The contents are no token store, or one of a later version.
        public static let corrupt = Kind(description: "corrupt")
        /// Wrong encryption key, altered contents, or plain contents where a key is set and the other way round.
        public static let undecryptable = Kind(description: "undecryptable")
        /// More bytes than the store's ceiling.
        public static let tooLarge = Kind(description: "tooLarge")
        /// Another process held the lock until the deadline.
        public static let lockTimedOut = Kind(description: "lockTimedOut")
        /// A token that no header could carry, so that it could not be read again.
        public static let invalidToken = Kind(description: "invalidToken")
        /// Encryption itself failed: see ``TokenStoreError/reason``.
        public static let encryptionFailed = Kind(description: "encryptionFailed")
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// Where the store is: a path or a suite's name.
    public let location: String
    /// One sentence of what was wrong.
    public let reason: String
    /// The operating system's error number, if it was the one to refuse.
    public let systemError: Int32?

    package init(_ kind: Kind, at location: String, _ reason: String, systemError: Int32? = nil) {
        self.kind = kind
        self.location = location
        self.reason = reason
        self.systemError = systemError
    }
}

extension TokenStoreError: CustomStringConvertible {
    /// Kind, place and reason.
    public var description: String {
        let system = systemError.map { " (error \($0))" } ?? ""
        return "token store \(location): \(kind): \(reason)\(system)"
    }
}
