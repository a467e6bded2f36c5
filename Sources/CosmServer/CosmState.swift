internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// The shared state of the REST routes, the sockets and the control.
final class CosmState: Sendable {
    struct Values: Sendable {
        /// The offset of the server's clock from the configured one, in microseconds.
        var clockOffset: Int64 = 0
        /// The URL of the server's root. It is set once the server listens.
        var root = ""
        /// Whether every request is rejected as if it exceeded the rate limit.
        var isExhausted = false
    }

    let configuration: CosmConfiguration
    let store: CosmStore
    let rules: AccessRules
    let values = Guarded(Values())
    let limiter = RateLimiter()
    let faults: FaultControl
    let subscriptions = SubscriptionHub()
    let dispatcher: TriggerDispatcher
    /// The timer of triggers on frozen (Docs/Protocols/Cosm.md §8).
    let silence = BackgroundTimer()
    /// The timer of the removal of points.
    let removal = BackgroundTimer()
    let logger: Logger

    init(configuration: CosmConfiguration, store: CosmStore, environment: ServerEnvironment) {
        self.configuration = configuration
        self.store = store
        faults = environment.faults
        logger = environment.logger
        rules = AccessRules(administrator: configuration.owner)
        dispatcher = TriggerDispatcher(
            capacity: configuration.maxima.notifications,
            allowsLocalTargets: configuration.allowsLocalTriggerTargets
        )
    }

    /// Returns the time of the server's clock, including the configured and injected offsets.
    func now(_ faults: ActiveFaults = ActiveFaults()) -> ServerInstant {
        let offset = values.withLock { $0.clockOffset } + faults.clockOffset * 1000
        return ServerInstant(microseconds: configuration.clock.microseconds() + offset)
    }

    /// Returns the context of documents that are made without a request: pushes and notifications.
    func ownContext(_ now: ServerInstant) -> RenderContext {
        let root = values.withLock { $0.root }
        return RenderContext(base: root + configuration.prefix, root: root, now: now)
    }
}
