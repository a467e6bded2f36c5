internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// The state that the middleware's routes and its control share.
final class MiddlewareState: Sendable {
    struct Values: Sendable {
        var secrets: [MiddlewareSecret]
        var clockOffset: Int64 = 0
        var registrations = 0
    }

    let configuration: MiddlewareConfiguration
    let store: MiddlewareStore
    let values: Guarded<Values>

    init(configuration: MiddlewareConfiguration, store: MiddlewareStore) {
        self.configuration = configuration
        self.store = store
        values = Guarded(Values(secrets: configuration.secrets))
    }

    /// Returns the server's clock in milliseconds, with its configured offset.
    func now(_ faults: ActiveFaults) -> Int64 {
        configuration.clock.milliseconds() + values.withLock { $0.clockOffset } + faults.clockOffset
    }
}
