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

/// How an answer's array is read element by element.
public struct ElementOptions: Hashable, Sendable {
    /// The most bytes of one element. Default: 4 MiB, as for a line. A longer one fails with
    /// ``FailureKind/ceilingExceeded``, ceiling ``Ceiling/elementBytes``.
    public var elementBytes = 4 << 20

    /// The deepest nesting of arrays and objects in the document, what stands around the array included. Default: 512.
    /// A deeper one fails with ``FailureKind/decodingFailed``.
    public var maximumDepth = 512

    /// The defaults.
    public init() {}
}

/// What becomes of a line, or of an array's element, that does not decode.
public struct BadLinePolicy: Sendable {
    /// Told of each that is left out; `nil` fails instead.
    let report: (@Sendable (HeliumError) -> Void)?

    /// The sequence fails with ``FailureKind/decodingFailed``. The default.
    public static let fail = Self(report: nil)

    /// It is left out and `report` told the error that it would have been: number, path, reason.
    public static func skip(_ report: @escaping @Sendable (HeliumError) -> Void) -> Self { Self(report: report) }
}
