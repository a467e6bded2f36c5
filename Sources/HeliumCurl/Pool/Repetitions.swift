/// Counts how often a call is sent again at once.
struct Repetitions: Hashable, Sendable {
    /// The maximum number for a call. A peer that refuses each stream and each connection must not keep a call for
    /// ever. A server that ends each connection after a few calls (nginx, `keepalive_requests`) refuses those of many
    /// parallel calls that are above, again on the next one.
    static let limit = 16

    private(set) var count = 0
    /// The lost connection for which the call was sent again last.
    private var last: PoolConnection?

    /// Whether the call may be sent again by the rule. If so, the repetition is counted.
    ///
    /// A connection that was lost grants one repetition at most, whoever reports its end.
    ///
    /// - Parameter isCounted: Whether it counts. Idle connections that are found to have ended, or to be silent, before a call is
    ///   sent do not: there are only so many of them.
    mutating func allow(
        _ rule: DeliveryRule,
        after end: DeliveryRule.End,
        on connection: PoolConnection,
        isCounted: Bool = true
    ) -> Bool {
        guard rule.resend != .no, !isCounted || count < Self.limit else { return false }
        if end == .connectionLost {
            if last == connection { return false }
            last = connection
        }
        if isCounted { count += 1 }
        return true
    }
}
