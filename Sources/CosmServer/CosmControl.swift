internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Looks into Cosm and changes it while the server runs (§18): for tests and demonstrations. Forced statuses, delays
/// and cut connections are ``FaultControl``'s, on REST and on the sockets alike.
public struct CosmControl: Sendable {
    let state: CosmState
    let live: LiveServer

    /// How many live connections are open, WebSocket and TCP together.
    public var liveConnectionCount: Int { live.channels.count }

    /// How many subscriptions live clients have.
    public var subscriptionCount: Int { state.subscriptions.count }

    /// How many notifications of triggers were sent and answered with a success since the server started.
    public var deliveredNotifications: Int { state.dispatcher.counts.delivered }

    /// How many notifications failed: the receiver could not be reached in time, or answered with a failure.
    public var failedNotifications: Int { state.dispatcher.counts.failed }

    /// How many notifications were dropped because too many waited (``CosmMaxima/notifications``).
    public var droppedNotifications: Int { state.dispatcher.counts.dropped }

    /// Closes all live connections without a word, as a broken network does. New ones are accepted at once.
    public func dropSockets() { live.channels.dropAll() }

    /// Sets the server's clock off by `offset` (negative: behind) until it is set anew. Triggers on frozen that are due
    /// by the new time fire soon after.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds * 1000 }
        state.silence.wake()
    }

    /// Answers every request with the rate limit's refusal (§2.5), or goes back to counting.
    public func setRateLimitExhausted(_ isExhausted: Bool) {
        state.values.withLock { $0.isExhausted = isExhausted }
    }
}
