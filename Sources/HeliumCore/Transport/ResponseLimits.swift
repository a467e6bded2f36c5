/// The limits on the size of a response. Exceeding one fails with ``FailureKind/ceilingExceeded``.
public struct ResponseLimits: Hashable, Sendable {
    /// The default of ``bodyBytes``: 16 MiB.
    public static let defaultBodyBytes = 16 << 20

    /// The maximum number of bytes of a body in memory, after decompression. Default: 16 MiB. Streams have no such
    /// limit.
    public var bodyBytes = ResponseLimits.defaultBodyBytes

    /// The maximum number of bytes of the header section, including interim responses (1xx) and trailers. Default: 64
    /// KiB.
    public var headerBytes = 64 << 10

    /// The maximum number of header fields, including interim responses (1xx) and trailers. Default: 256.
    public var headerCount = 256

    /// The maximum ratio of a body's size after decompression to its size before, for collected bodies and for streams.
    /// Default: 200. It applies after the first 1 MiB of decompressed bytes. `nil` sets no limit.
    public var decompressionRatio: Int? = 200

    /// Creates the default limits.
    public init() {}
}
