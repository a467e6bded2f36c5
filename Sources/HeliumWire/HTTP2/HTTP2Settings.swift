package import HeliumCore

/// The limits and windows of an HTTP/2 connection.
package struct HTTP2Settings: Hashable, Sendable {
    /// The largest limits of any call. The peer is told the size of a header section that they allow.
    package var limits: ResponseLimits

    /// The number of bytes of one response that the peer may send before the consumer takes them. Default: 1 MiB.
    package var streamWindow: Int32 = 1 << 20

    /// The size up to which the window of a stream grows while its consumer keeps up. Default: 16 MiB.
    package var maximumStreamWindow: Int32 = 16 << 20

    /// The number of bytes of all responses that may be in flight. Default: 32 MiB.
    ///
    /// Bytes leave this window when an exchange gets them. So a consumer that stops slows down its own stream and no
    /// other, and the bytes that consumers have not taken are limited by the windows of their streams.
    package var connectionWindow: Int32 = 32 << 20

    /// The number of streams that the peer is expected to allow until its SETTINGS arrive. Default: 100 (RFC 9113 §6.5.2).
    package var expectedStreams = 100

    /// The identifier of the first stream, an odd number.
    package var firstStream: Int32 = 1

    package init(limits: ResponseLimits = ResponseLimits()) { self.limits = limits }
}

extension HTTP2Settings {
    /// The size of a field list as HTTP/2 counts it: 32 bytes for each field on top of its text (RFC 9113 §6.5.2).
    var headerListBytes: Int {
        let (overhead, isTooLarge) = max(0, limits.headerCount).multipliedReportingOverflow(by: 32)
        let (sum, isOver) = max(0, limits.headerBytes).addingReportingOverflow(overhead)
        return isTooLarge || isOver ? Int(Int32.max) : min(sum, Int(Int32.max))
    }
}
