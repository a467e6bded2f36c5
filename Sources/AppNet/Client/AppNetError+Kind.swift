extension AppNetError {
    /// A kind of failure, as a name from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }

    /// The service's name for the cause of an error (Docs/Protocols/AppNet.md §1.5), from a list that may grow.
    public struct Slug: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as the service writes it.
        public let rawValue: String

        /// Creates a slug from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The token is invalid.
        public static let invalidToken = Self(rawValue: "invalid-token")
        /// The user has revoked the token.
        public static let notAuthorized = Self(rawValue: "not-authorized")
        /// The token has expired.
        public static let tokenExpired = Self(rawValue: "token-expired")
        /// The authorization code was already exchanged.
        public static let codeUsed = Self(rawValue: "code-used")
        /// The exchange of the authorization code needs the redirect URI of the sign-in.
        public static let redirectURIRequired = Self(rawValue: "redirect-uri-required")
    }
}

extension AppNetError.Kind {
    // MARK: Before anything is sent

    /// The configuration is invalid, for example a base URL without a host or an empty token.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The call breaks a rule of the service. The message names the rule.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The dialect's service does not have the call (Docs/Protocols/AppNet.md §6.2), or cannot express a value in it
    /// (§6.3).
    public static let unsupportedByDialect = Self(rawValue: "unsupportedByDialect")
    /// The value cannot be encoded.
    public static let unencodable = Self(rawValue: "unencodable")
    /// The token store failed.
    public static let tokenStoreFailed = Self(rawValue: "tokenStoreFailed")

    // MARK: Responses of the service

    /// The service could not read the request, or does not allow it (400).
    public static let badRequest = Self(rawValue: "badRequest")
    /// The request has no token (401 without a slug).
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The token is invalid.
    public static let invalidToken = Self(rawValue: "invalidToken")
    /// The user has revoked the token.
    public static let tokenRevoked = Self(rawValue: "tokenRevoked")
    /// The token has expired.
    public static let tokenExpired = Self(rawValue: "tokenExpired")
    /// The token is of the wrong kind, or the user lacks the right (403).
    public static let forbidden = Self(rawValue: "forbidden")
    /// The token has none of the scopes that the call needs (403).
    public static let missingScope = Self(rawValue: "missingScope")
    /// The object does not exist, or is hidden from this token (404).
    public static let notFound = Self(rawValue: "notFound")
    /// The method is not allowed for the path (405).
    public static let methodNotAllowed = Self(rawValue: "methodNotAllowed")
    /// Too many requests were sent (429).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// A quota is exceeded: the storage for files, or the number of followed users (507).
    public static let quotaExceeded = Self(rawValue: "quotaExceeded")
    /// The service failed in another way (5xx).
    public static let serverFailed = Self(rawValue: "serverFailed")
    /// The file has no content yet (204).
    public static let incompleteFile = Self(rawValue: "incompleteFile")
    /// The sign-in or the exchange of a code was refused. The reason is in ``AppNetError/refusal``.
    public static let signInRefused = Self(rawValue: "signInRefused")

    // MARK: In transit

    /// The response is not the one that the call returns.
    public static let undecodable = Self(rawValue: "undecodable")
    /// A list cannot be continued: a response has `more` without a new position, or there are too many pages, or too many
    /// items of a list that is returned as a whole.
    public static let brokenList = Self(rawValue: "brokenList")
    /// The host of the base URL has no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// A timeout expired.
    public static let timedOut = Self(rawValue: "timedOut")
    /// Any other failure. See ``AppNetError/underlying``.
    public static let failed = Self(rawValue: "failed")
}
