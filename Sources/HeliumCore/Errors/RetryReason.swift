/// The reason why a call is attempted again. The list of names may grow.
public struct RetryReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason's name.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server reported a wrong time stamp, and the clock offset was corrected.
    public static let clockCorrected = Self(rawValue: "clockCorrected")
    /// The server rejected the credential, and it was replaced.
    public static let credentialReplaced = Self(rawValue: "credentialReplaced")
    /// The server was overloaded or unavailable: one of the policy's statuses.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// The server asked for fewer requests (429).
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// There was no connection, or it was lost.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
    /// The server had closed an idle connection, which is noticed only when the connection is used again.
    public static let staleConnection = Self(rawValue: "staleConnection")
    /// The time limit of a phase expired.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The server redirected the call.
    public static let redirected = Self(rawValue: "redirected")

    /// The reason's name.
    public var description: String { rawValue }
}
