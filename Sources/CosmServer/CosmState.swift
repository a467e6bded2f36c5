internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// What the REST routes, the sockets and the control share.
final class CosmState: Sendable {
    struct Values: Sendable {
        /// Microseconds that the server's clock is ahead of the configured one.
        var clockOffset: Int64 = 0
        /// The URL of the server's root, once it listens.
        var root = ""
        /// Whether every request is answered as if it were one too many.
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
    let silence = SilenceTimer()
    let logger: Logger

    init(configuration: CosmConfiguration, store: CosmStore, environment: ServerEnvironment) {
        self.configuration = configuration
        self.store = store
        faults = environment.faults
        logger = environment.logger
        rules = AccessRules(administrator: configuration.owner)
        dispatcher = TriggerDispatcher(capacity: configuration.maxima.notifications)
    }

    /// The server's clock, as wrong as it was set to be.
    func now(_ faults: ActiveFaults = ActiveFaults()) -> ServerInstant {
        let offset = values.withLock { $0.clockOffset } + faults.clockOffset * 1000
        return ServerInstant(microseconds: configuration.clock.microseconds() + offset)
    }

    /// The context of what is made for no request: pushes and notifications.
    func ownContext(_ now: ServerInstant) -> RenderContext {
        let root = values.withLock { $0.root }
        return RenderContext(base: root + configuration.prefix, root: root, now: now)
    }
}
