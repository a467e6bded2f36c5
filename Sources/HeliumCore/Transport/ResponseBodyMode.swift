/// How the body of an answer is delivered.
public enum ResponseBodyMode: Hashable, Sendable {
    /// The whole body in memory; more decoded bytes than this fail with ``Ceiling/bodyBytes``.
    case collect(upTo: Int)

    /// As a back-pressured stream: the head is returned as soon as it is there.
    case stream
}
