/// The settings for reading a response body line by line.
public struct LineOptions: Hashable, Sendable {
    /// The maximum number of bytes of one line, without its end. Default: 4 MiB. A longer line fails with
    /// ``FailureKind/ceilingExceeded`` and ``Ceiling/lineBytes``.
    public var lineBytes = 4 << 20

    /// Whether a last line without a line end fails with ``FailureKind/connectionLost`` instead of being delivered.
    /// Default: `false`.
    ///
    /// With either value, a body that breaks off before its announced end never delivers an incomplete line. But a body
    /// may have no announced end: in HTTP/1.x without `Content-Length` or chunks, it ends when the connection closes
    /// (RFC 9112 §6.3), so a server that crashed looks like one that has finished. If the server ends every line with a
    /// line end, use `true` to detect this.
    public var requiresFinalLineEnd = false

    /// Creates the default options.
    public init() {}
}

/// The settings for reading a response's array element by element.
public struct ElementOptions: Hashable, Sendable {
    /// The maximum number of bytes of one element. Default: 4 MiB, as for a line. A longer element fails with
    /// ``FailureKind/ceilingExceeded`` and ``Ceiling/elementBytes``.
    public var elementBytes = 4 << 20

    /// The maximum nesting depth of arrays and objects in the document, including the parts around the array. The default
    /// is 512. A deeper document fails with ``FailureKind/decodingFailed``.
    public var maximumDepth = 512

    /// Creates the default options.
    public init() {}
}

/// The handling of a line, or of an array's element, that can't be decoded.
public struct BadLinePolicy: Sendable {
    /// Receives the error of each line or element that is left out; `nil` if the sequence fails instead.
    let report: (@Sendable (HeliumError) -> Void)?

    /// The sequence fails with ``FailureKind/decodingFailed``. The default.
    public static let fail = Self(report: nil)

    /// Leaves out the line or element and passes the error to `report`, with its number, path and reason.
    public static func skip(_ report: @escaping @Sendable (HeliumError) -> Void) -> Self { Self(report: report) }
}
