/// Limits the work that a peer can cause per second. It performs no I/O.
///
/// Every message, control frame and byte that arrives uses a share of a second. A peer may be one second ahead. After
/// that, the connection is not read until the peer is within the limit again. No data is lost, because the network
/// pauses the peer.
package struct ArrivalPace: Sendable {
    /// The number of arrivals after which ``pause(afterArrivals:bytes:now:)`` must be called: at most those of a second.
    let interval: Int
    private let perArrival: Duration
    private let perByte: Duration
    /// The uptime at which the work that has arrived is within the limit again.
    private var paidUntil: Duration = .zero

    /// The time by which a peer may be ahead.
    private static let burst = Duration.seconds(1)
    /// The shortest pause, so that a fast peer does not cause a timer for each message.
    private static let shortestPause = Duration.milliseconds(20)

    /// Creates a pace.
    ///
    /// - Returns: `nil` if neither is limited.
    package init?(messagesPerSecond: Int?, bytesPerSecond: Int?) {
        guard messagesPerSecond != nil || bytesPerSecond != nil else { return nil }
        interval = min(256, max(1, messagesPerSecond ?? .max))
        perArrival = messagesPerSecond.map { .seconds(1) / max(1, $0) } ?? .zero
        perByte = bytesPerSecond.map { .seconds(1) / max(1, $0) } ?? .zero
    }

    init?(_ limits: WebSocketOptions.Limits) {
        self.init(messagesPerSecond: limits.messagesPerSecond, bytesPerSecond: limits.bytesPerSecond)
    }

    /// Records the data that has arrived.
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
