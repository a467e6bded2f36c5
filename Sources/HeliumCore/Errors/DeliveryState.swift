/// The state of a request's delivery, which decides whether it is safe to send the request again.
///
/// The states are ordered: `notSent < maybeSent < answered`.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// No byte of the request was sent, or the server has said that it did not process it. It is always safe to send it
    /// again.
    case notSent

    /// The request, or a part of it, may have reached the server, and no response arrived.
    case maybeSent

    /// The server responded: at least a status line arrived.
    case answered
}

extension DeliveryState: Comparable {
    /// Returns whether the first state is earlier than the second.
    public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .notSent: 0
        case .maybeSent: 1
        case .answered: 2
        }
    }
}
