extension AppNetError {
    /// A kind of failure, as a name from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }

    /// The service's name of a cause (§1.5), from a list that may grow.
    public struct Slug: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as the service writes it.
        public let rawValue: String

        /// A cause by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The token is none.
        public static let invalidToken = Self(rawValue: "invalid-token")
        /// The user has revoked the token.
        public static let notAuthorized = Self(rawValue: "not-authorized")
        /// The token has expired.
        public static let tokenExpired = Self(rawValue: "token-expired")
        /// The code of a sign-in was exchanged before.
        public static let codeUsed = Self(rawValue: "code-used")
        /// The exchange of a code needs the address it was sent to.
        public static let redirectURIRequired = Self(rawValue: "redirect-uri-required")
    }
}

extension AppNetError.Kind {
    // MARK: Before anything is sent

    /// The client can't be made so: a base URL without a host, an empty token.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The call breaks a rule of the service: its message says which.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The service of this client's dialect has no such call (§6.2), or no place for what it says (§6.3).
    public static let unsupportedByDialect = Self(rawValue: "unsupportedByDialect")
    /// The value can't be written.
    public static let unencodable = Self(rawValue: "unencodable")
    /// The store of tokens failed.
    public static let tokenStoreFailed = Self(rawValue: "tokenStoreFailed")

    // MARK: What the service answered

    /// It could not read the request, or does not allow it (400).
    public static let badRequest = Self(rawValue: "badRequest")
    /// No token (401 without a slug).
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The token is none.
    public static let invalidToken = Self(rawValue: "invalidToken")
    /// The user has revoked the token.
    public static let tokenRevoked = Self(rawValue: "tokenRevoked")
    /// The token has expired.
    public static let tokenExpired = Self(rawValue: "tokenExpired")
    /// The kind of token is the wrong one, or the right is missing (403).
    public static let forbidden = Self(rawValue: "forbidden")
    /// The token has none of the scopes that the call needs (403).
    public static let missingScope = Self(rawValue: "missingScope")
    /// There is no such thing, or it is hidden from this token (404).
    public static let notFound = Self(rawValue: "notFound")
    /// That can't be done there (405).
    public static let methodNotAllowed = Self(rawValue: "methodNotAllowed")
    /// Too many requests (429).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// No room for the file, or for another user to follow (507).
    public static let quotaExceeded = Self(rawValue: "quotaExceeded")
    /// Any other failure of the service's (5xx).
    public static let serverFailed = Self(rawValue: "serverFailed")
    /// The file has no content yet (204).
    public static let incompleteFile = Self(rawValue: "incompleteFile")
    /// The sign-in or the exchange of a code was refused: ``AppNetError/refusal`` says why.
    public static let signInRefused = Self(rawValue: "signInRefused")

    // MARK: On the way

    /// The answer is not what the call answers.
    public static let undecodable = Self(rawValue: "undecodable")
    /// A list can't be followed: it says that there is more and not where.
    public static let brokenList = Self(rawValue: "brokenList")
    /// The host of the base URL has no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// A time limit ran out.
    public static let timedOut = Self(rawValue: "timedOut")
    /// Anything else: ``AppNetError/underlying`` tells.
    public static let failed = Self(rawValue: "failed")
}
