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

    /// How many times larger than what came over the wire a body may get by decompression, for collected bodies and for
    /// streams. It counts once more than 1 MiB has come out. Of a body of unannounced length, up to 256 KiB that the
    /// transport may have read but not counted yet count in its favour. `nil`: no such ceiling. Default: 200.
    public var decompressionRatio: Int? = 200

    /// The defaults.
    public init() {}
}
