internal import HeliumCore

/// Decides when a connection needs a sign of life, and when it counts as dead: a value without I/O.
struct Keepalive: Equatable {
    /// What to do now.
    enum Step: Equatable {
        /// Look again after this time.
        case wait(Duration)
        /// Send a ping, then look again.
        case ping
        /// Give up: this phase took longer than its limit.
        case fail(TransferPhase, limit: Duration)
    }

    /// How long nothing may have arrived until a ping is sent; `nil`: none is sent.
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

    /// A limit of nothing can't make a connection spin.
    private static let shortest = Duration.milliseconds(1)

    /// - Parameters:
    ///   - now: The uptime.
    ///   - lastArrival: The uptime at which something arrived.
    ///   - incompleteSince: The uptime at which a message that is not complete began; `nil` if there is none.
    ///   - stalledSince: Since when the system has taken nothing of what was written; `nil` if nothing waits.
    ///   - isHeldBack: Whether it is us who don't read.
    /// - Returns: `nil` where there is nothing ever to do.
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
        // Writes and messages begin at any time: without one under way it is enough to look once in each limit.
        let nextStall = sendLimit.map { (stalledSince ?? now) + $0 }
        let nextCutOff = messageLimit.map { (isHeldBack ? now : incompleteSince ?? now) + $0 }
        return [nextPing, nextSilence, nextStall, nextCutOff].compactMap(\.self).min().map { .wait($0 - now) }
    }
}

extension MessageLink {
    /// Watches over the link until it ends.
    func keepAlive(_ keepalive: Keepalive) {
        var keepalive = keepalive
        let task = Task { [weak self, clock] in
            while !Task.isCancelled {
                guard let signs = self?.signs else { return }
                let step = keepalive.step(
                    now: clock.uptime,
                    lastArrival: signs.lastArrival,
                    incompleteSince: signs.incompleteSince,
                    stalledSince: signs.stalledSince,
                    isHeldBack: signs.isHeldBack
                )
                switch step {
                case nil: return
                case .wait(let time):
                    do { try await clock.sleep(for: time) } catch { return }
                case .ping:
                    self?.say(.ping)
                case .fail(let phase, let limit):
                    guard let self else { return }
                    end(.abnormal, failure: failures.timeout(phase, .answered, after: limit))
                    cut()
                }
            }
        }
        keep(task)
    }
}
