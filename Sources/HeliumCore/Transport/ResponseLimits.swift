/// Ceilings on what a server may make grow. Passing one fails with ``FailureKind/ceilingExceeded``.
public struct ResponseLimits: Hashable, Sendable {
    /// The default of ``bodyBytes``: 16 MiB.
    public static let defaultBodyBytes = 16 << 20

    /// Bytes of a body held in memory, after decompression. Default: 16 MiB. Streams have no such ceiling.
    public var bodyBytes = ResponseLimits.defaultBodyBytes

    /// Bytes of the header section, interim answers (1xx) and trailers included. Default: 64 KiB.
    public var headerBytes = 64 << 10

    /// Number of header fields, interim answers (1xx) and trailers included. Default: 256.
    public var headerCount = 256

    /// The ratio of a body's size after decompression to its size before, for collected bodies and for streams. Default:
    /// 200. It applies once more than 1 MiB has come out. `nil`: no such ceiling.
    public var decompressionRatio: Int? = 200

    /// The defaults.
    public init() {}
}
