internal import Foundation

/// The machine's own clocks.
public struct SystemClock: HeliumClock {
    private static let start = ContinuousClock.now

    /// The machine's clocks.
    public init() {}

    /// The system's wall clock.
    public var wallTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The system's continuous clock, which runs on while the machine sleeps.
    public var uptime: Duration { Self.start.duration(to: .now) }

    /// Waits on the continuous clock.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration, clock: .continuous) }
}
