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
