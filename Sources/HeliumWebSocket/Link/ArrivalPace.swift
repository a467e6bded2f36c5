/// Bounds the work that a peer can cause per second: a value without I/O.
///
/// Every message, control frame and byte that arrives costs a share of a second. A peer may be one second ahead; beyond
/// that the connection is not read until it has caught up. Nothing is lost: the network holds the peer back.
package struct ArrivalPace: Sendable {
    private let perArrival: Duration
    private let perByte: Duration
    /// The uptime up to which the work that has arrived is paid for.
    private var paidUntil: Duration = .zero

    /// The lead that a peer may have over the pace.
    private static let burst = Duration.seconds(1)
    /// The shortest pause, so that a fast peer does not cause a timer for each message.
    private static let shortestPause = Duration.milliseconds(20)

    /// - Returns: `nil` if neither is limited.
    package init?(messagesPerSecond: Int?, bytesPerSecond: Int?) {
        guard messagesPerSecond != nil || bytesPerSecond != nil else { return nil }
        perArrival = messagesPerSecond.map { .seconds(1) / max(1, $0) } ?? .zero
        perByte = bytesPerSecond.map { .seconds(1) / max(1, $0) } ?? .zero
    }

    init?(_ limits: WebSocketOptions.Limits) {
        self.init(messagesPerSecond: limits.messagesPerSecond, bytesPerSecond: limits.bytesPerSecond)
    }

    /// Accounts for what has arrived.
    ///
    /// - Parameters:
    ///   - arrivals: The number of messages and control frames.
    ///   - now: The uptime.
    /// - Returns: The pause before more is read; `nil` if the peer is not too fast.
    package mutating func pause(afterArrivals arrivals: Int, bytes: Int, now: Duration) -> Duration? {
        paidUntil = max(paidUntil, now) + perArrival * arrivals + perByte * bytes
        let excess = paidUntil - now - Self.burst
        return excess > .zero ? max(excess, Self.shortestPause) : nil
    }
}
