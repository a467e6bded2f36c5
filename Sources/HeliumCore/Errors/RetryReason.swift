/// Why a call is attempted again, as a name from a list that may grow.
public struct RetryReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason's name.
    public let rawValue: String

    /// A reason by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server found the time stamp off, and the clock's offset was corrected.
    public static let clockCorrected = Self(rawValue: "clockCorrected")
    /// The server refused the credential, and it was replaced.
    public static let credentialReplaced = Self(rawValue: "credentialReplaced")
    /// The server was overloaded or away: one of the policy's statuses.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// The server asked for fewer requests (429).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// There was no connection, or it was lost.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
    /// A kept connection had been closed by the server, which shows only when it is used.
    public static let staleConnection = Self(rawValue: "staleConnection")
    /// The time limit of a phase ran out.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The server sent the call elsewhere.
    public static let redirected = Self(rawValue: "redirected")

    /// The reason's name.
    public var description: String { rawValue }
}
