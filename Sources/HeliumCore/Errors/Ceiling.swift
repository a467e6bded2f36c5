/// A limit on something a peer can make grow, as it is named in errors.
public struct Ceiling: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The limit's name, from a fixed list: fit to be a metric's label.
    public let rawValue: String

    /// A ceiling by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bytes of a response body held in memory, after decompression.
    public static let bodyBytes = Self(rawValue: "bodyBytes")
    /// Bytes of a response's header section.
    public static let headerBytes = Self(rawValue: "headerBytes")
    /// Number of fields in a response's header section.
    public static let headerCount = Self(rawValue: "headerCount")
    /// How many times larger a body gets by decompression.
    public static let decompressionRatio = Self(rawValue: "decompressionRatio")
    /// Redirects that one call follows.
    public static let redirects = Self(rawValue: "redirects")
    /// Requests that wait for their turn.
    public static let queuedRequests = Self(rawValue: "queuedRequests")
    /// Bytes of one line of a line stream, or of one event.
    public static let lineBytes = Self(rawValue: "lineBytes")
    /// Bytes of one element of an array that is read as it arrives.
    public static let elementBytes = Self(rawValue: "elementBytes")
    /// Pages that one sequence fetches.
    public static let pages = Self(rawValue: "pages")

    /// The limit's name.
    public var description: String { rawValue }
}
