internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// The state that the routes, the streams and the control share.
final class AppNetState: Sendable {
    struct Values: Sendable {
        /// The number of seconds by which the server's clock is ahead of the configured one.
        var clockOffset: Int64 = 0
        /// The server's root URL, after it has begun to listen.
        var root = ""
        /// The root URL for WebSockets, after the server has begun to listen.
        var liveRoot = ""
        /// Whether every request is treated as exceeding the rate limit.
        var isExhausted = false
    }

    let configuration: AppNetServerConfiguration
    let store: AppNetStore
    let events: AppNetEventHub
    let values = Guarded(Values())
    let limiter = RateLimiter()
    let faults: FaultControl
    let logger: Logger
    /// The timer of the removal of rows.
    let removal = BackgroundTimer()

    init(configuration: AppNetServerConfiguration, store: AppNetStore, environment: ServerEnvironment) {
        self.configuration = configuration
        self.store = store
        events = AppNetEventHub(random: store.random, sharePerAddress: environment.limits.sharePerAddress)
        faults = environment.faults
        logger = environment.logger
    }

    /// Deletes a portion of the rows of deleted objects. Returns the delay until the next one; `nil` if no rows remain.
    func removeRows() async -> Duration? {
        do {
            return try await store.write {
                try RowRemoval(database: $0).proceed()
            } publish: { _, _ in
            } ? .zero : nil
        } catch {
            logger.error("Rows could not be deleted", metadata: ["error": "\(StoreFault.text(of: error))"])
            return .seconds(60)
        }
    }

    /// Returns the seconds since 1970 by the server's clock, including its offset and that of the faults.
    func now(_ faults: ActiveFaults = ActiveFaults()) -> Int64 {
        let offset = values.withLock { $0.clockOffset } + faults.clockOffset / 1000
        return configuration.clock.milliseconds() / 1000 + offset
    }

    /// The server's root URL, for rendering without a request.
    var root: String { values.withLock { $0.root } }

    /// The root URL for WebSockets.
    var liveRoot: String { values.withLock { $0.liveRoot } }

    /// Returns a new error id of 32 hexadecimal digits (Docs/Protocols/AppNet.md §1.5).
    func newErrorID() -> String { store.random.hex(byteCount: 16) }
}
