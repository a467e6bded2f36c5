/// How far a request got: what a caller must know before sending it again.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// No byte of the request left: sending it again is always safe.
    case notSent

    /// The request, or a part of it, may have reached the server, and no answer came.
    case maybeSent

    /// The server answered: at least a status line arrived.
    case answered
}
