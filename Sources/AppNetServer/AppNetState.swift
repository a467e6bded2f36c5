internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// What the routes, the streams and the control share.
final class AppNetState: Sendable {
    struct Values: Sendable {
        /// Seconds that the server's clock is ahead of the configured one.
        var clockOffset: Int64 = 0
        /// The URL of the server's root, once it listens.
        var root = ""
        /// The same for WebSockets.
        var liveRoot = ""
        /// Whether every request is answered as if it were one too many.
        var isExhausted = false
    }

    let configuration: AppNetServerConfiguration
    let store: AppNetStore
    let events: AppNetEventHub
    let values = Guarded(Values())
    let limiter = RateLimiter()
    let faults: FaultControl
    let logger: Logger

    init(configuration: AppNetServerConfiguration, store: AppNetStore, environment: ServerEnvironment) {
        self.configuration = configuration
        self.store = store
        events = AppNetEventHub(random: store.random)
        faults = environment.faults
        logger = environment.logger
    }

    /// Seconds since 1970 by the server's clock, as wrong as it was set to be.
    func now(_ faults: ActiveFaults = ActiveFaults()) -> Int64 {
        let offset = values.withLock { $0.clockOffset } + faults.clockOffset / 1000
        return configuration.clock.milliseconds() / 1000 + offset
    }

    /// The URL of the server's root, for what is rendered for no request.
    var root: String { values.withLock { $0.root } }

    /// The URL of the WebSockets' root.
    var liveRoot: String { values.withLock { $0.liveRoot } }

    /// 32 hexadecimal digits that name a refusal (§1.5).
    func newErrorID() -> String { store.random.hex(byteCount: 16) }
}
