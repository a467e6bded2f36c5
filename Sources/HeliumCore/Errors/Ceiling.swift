/// The name of a limit on something that a peer can make grow, as used in errors.
public struct Ceiling: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The limit's name, from a fixed list. It is suitable as a label of a metric.
    public let rawValue: String

    /// Creates a ceiling from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes of a response body in memory, after decompression.
    public static let bodyBytes = Self(rawValue: "bodyBytes")
    /// The bytes of a response's header section.
    public static let headerBytes = Self(rawValue: "headerBytes")
    /// The number of fields in a response's header section.
    public static let headerCount = Self(rawValue: "headerCount")
    /// The factor by which decompression enlarges a body.
    public static let decompressionRatio = Self(rawValue: "decompressionRatio")
    /// The redirects that one call follows.
    public static let redirects = Self(rawValue: "redirects")
    /// The requests that wait in the queue.
    public static let queuedRequests = Self(rawValue: "queuedRequests")
    /// The bytes of one line of a line stream, or of one event.
    public static let lineBytes = Self(rawValue: "lineBytes")
    /// The bytes of one element of an array that is read as it arrives.
    public static let elementBytes = Self(rawValue: "elementBytes")
    /// The pages that one sequence fetches.
    public static let pages = Self(rawValue: "pages")

    /// The limit's name.
    public var description: String { rawValue }
}
