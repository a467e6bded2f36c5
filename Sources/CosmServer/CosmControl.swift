internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Inspects Cosm and changes its state while the server runs (Docs/Protocols/Cosm.md §18). Use it in tests and
/// demonstrations.
///
/// For forced statuses, delays and cut connections use ``FaultControl``. It applies to REST and to the sockets.
public struct CosmControl: Sendable {
    let state: CosmState
    let live: LiveServer

    /// The number of open live connections, WebSocket and TCP together.
    public var liveConnectionCount: Int { live.channels.count }

    /// The number of subscriptions of live clients.
    public var subscriptionCount: Int { state.subscriptions.count }

    /// The number of trigger notifications that receivers have accepted since the server started.
    public var deliveredNotifications: Int { state.dispatcher.counts.delivered }

    /// The number of trigger notifications that failed because the receiver was not reached in time or responded with
    /// an error.
    public var failedNotifications: Int { state.dispatcher.counts.failed }

    /// The number of trigger notifications that were dropped because the queue was full (``CosmMaxima/notifications``).
    public var droppedNotifications: Int { state.dispatcher.counts.dropped }

    /// Closes all live connections without a closing handshake, as a broken network does. New connections are accepted
    /// at once.
    public func dropSockets() { live.channels.dropAll() }

    /// Sets the offset of the server's clock until the next call. A negative offset sets the clock back. Triggers on
    /// `frozen` that are due at the new time fire soon after.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds * 1000 }
        state.silence.wake()
    }

    /// Rejects every request with the rate limit's error (Docs/Protocols/Cosm.md §2.5), or ends that.
    public func setRateLimitExhausted(_ isExhausted: Bool) {
        state.values.withLock { $0.isExhausted = isExhausted }
    }
}

extension CosmControl: CustomReflectable {
    /// No children, because the state of the server has the tokens and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
