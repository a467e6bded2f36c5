internal import HeliumConcurrency
package import HeliumCore
internal import Synchronization

/// The clock of a simulated device: the simulation's, with a wall time that may be wrong.
package final class DeviceClock: HeliumClock {
    private let base: any HeliumClock
    private let offset = Guarded(Duration.zero)

    package init(_ base: any HeliumClock) { self.base = base }

    package var wallTime: Duration { base.wallTime + offset.withLock { $0 } }
    package var uptime: Duration { base.uptime }

    package func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }

    package func waitForDeadline(at uptime: Duration) async throws { try await base.waitForDeadline(at: uptime) }

    /// The most that the wall time is wrong.
    package static let maximumOffset: Duration = .seconds(12 * 3600)

    /// Sets the wall time off by up to 12 hours either way.
    ///
    /// - Returns: The new offset.
    @discardableResult
    package func jump(_ random: RandomSource) -> Duration {
        let offset = Self.maximumOffset * (2 * random.unit() - 1)
        // Whole seconds, so that traces are short.
        let rounded = Duration.seconds(offset.components.seconds)
        self.offset.withLock { $0 = rounded }
        return rounded
    }
}
