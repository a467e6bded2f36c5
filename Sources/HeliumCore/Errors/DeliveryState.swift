/// How far a request got: what a caller must know before sending it again.
///
/// The states are ordered: `notSent < maybeSent < answered`.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// No byte of the request left: sending it again is always safe.
    case notSent

    /// The request, or a part of it, may have reached the server, and no answer came.
    case maybeSent

    /// The server answered: at least a status line arrived.
    case answered
}

extension DeliveryState: Comparable {
    /// Whether a request got less far.
    public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .notSent: 0
        case .maybeSent: 1
        case .answered: 2
        }
    }
}
