internal import HeliumCore

/// Decides when a connection needs a ping and when it counts as dead. It performs no I/O.
struct Keepalive: Equatable {
    /// The next step.
    enum Step: Equatable {
        /// Check again after this time.
        case wait(Duration)
        /// Send a ping, then check again.
        case ping
        /// End the connection, because this phase took longer than its limit.
        case fail(TransferPhase, limit: Duration)
    }

    /// The time without received data after which a ping is sent; `nil` to send none.
    let pingInterval: Duration?
    let silenceLimit: Duration?
    let sendLimit: Duration?
    /// The time in which a message that has begun to arrive must be complete.
    let messageLimit: Duration?

    /// The uptime of the last ping.
    private var lastPing: Duration = .zero

    init(
        pingInterval: Duration? = nil,
        silenceLimit: Duration? = nil,
        sendLimit: Duration? = nil,
        messageLimit: Duration? = nil
    ) {
        self.pingInterval = pingInterval.map { max($0, Self.shortest) }
        self.silenceLimit = silenceLimit.map { max($0, Self.shortest) }
        self.sendLimit = sendLimit.map { max($0, Self.shortest) }
        self.messageLimit = messageLimit.map { max($0, Self.shortest) }
    }

    /// The minimum of all limits, which prevents a busy loop.
    private static let shortest = Duration.milliseconds(1)

    /// Returns the next step.
    ///
    /// - Parameters:
    ///   - now: The uptime.
    ///   - lastArrival: The uptime of the last sign of the peer: data, or room for data of this side that had to wait.
    ///   - incompleteSince: The uptime at which an incomplete message began; `nil` if there is none.
    ///   - stalledSince: The uptime since which the system has accepted no outgoing data; `nil` if none is waiting.
    ///   - isHeldBack: Whether this side has paused reading.
    /// - Returns: `nil` if there is never anything to do.
    mutating func step(
        now: Duration,
        lastArrival: Duration,
        incompleteSince: Duration? = nil,
        stalledSince: Duration?,
        isHeldBack: Bool
    ) -> Step? {
        let silentSince = isHeldBack ? now : lastArrival
        if let sendLimit, let stalledSince, now - stalledSince >= sendLimit { return .fail(.send, limit: sendLimit) }
        if let silenceLimit, now - silentSince >= silenceLimit { return .fail(.silence, limit: silenceLimit) }
        if let messageLimit, let incompleteSince, !isHeldBack, now - incompleteSince >= messageLimit {
            return .fail(.message, limit: messageLimit)
        }
        if let pingInterval, now - max(silentSince, lastPing) >= pingInterval {
            lastPing = now
            return .ping
        }
        let nextPing = pingInterval.map { max(silentSince, lastPing) + $0 }
        let nextSilence = silenceLimit.map { silentSince + $0 }
        // Writes and messages begin at any time. If none is in progress, one check per limit is enough.
        let nextStall = sendLimit.map { (stalledSince ?? now) + $0 }
        let nextCutOff = messageLimit.map { (isHeldBack ? now : incompleteSince ?? now) + $0 }
        return [nextPing, nextSilence, nextStall, nextCutOff].compactMap(\.self).min().map { .wait($0 - now) }
    }
}
