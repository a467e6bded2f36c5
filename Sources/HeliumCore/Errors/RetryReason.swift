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

    /// The reason's name.
    public var description: String { rawValue }
}
