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

    /// The limit's name.
    public var description: String { rawValue }
}
