/// How an answer's body is read line by line.
public struct LineOptions: Hashable, Sendable {
    /// The most bytes of one line, its end not counted. Default: 4 MiB. A longer one fails with
    /// ``FailureKind/ceilingExceeded``, ceiling ``Ceiling/lineBytes``.
    public var lineBytes = 4 << 20

    /// Whether a last line without a line end fails with ``FailureKind/connectionLost`` instead of counting.
    /// Default: `false`.
    ///
    /// A body that breaks off before its announced end never delivers half a line, whatever stands here. But a body
    /// may have no announced end: in HTTP/1.x, with neither `Content-Length` nor chunks, the closing of the connection
    /// is its end (RFC 9112 section 6.3), and a server that died looks like one that is done. Where the server ends
    /// every line, `true` tells them apart.
    public var requiresFinalLineEnd = false

    /// The defaults.
    public init() {}
}
