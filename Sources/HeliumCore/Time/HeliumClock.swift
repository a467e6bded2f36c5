import HeliumEssentials

/// The wall clock, the monotonic clock and the delays of a client. It can be replaced, so that tests control the time.
///
/// `SystemClock` is the default. `TestClock` (module `HeliumTesting`) stops until a test advances it.
public protocol HeliumClock: Sendable {
    /// The wall-clock time since 1970-01-01T00:00:00Z, for time stamps. It may jump.
    var wallTime: Duration { get }

    /// The time since an arbitrary start, which never decreases, for deadlines and durations.
    var uptime: Duration { get }

    /// Waits for a delay that is part of the caller's work.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(for duration: Duration) async throws

    /// Waits until `uptime` is reached, for a time limit that races with an operation. Returns at once if it has
    /// passed.
    ///
    /// The default sleeps for the difference. A clock for tests that skips delays must not skip time limits.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func waitForDeadline(at uptime: Duration) async throws
}

extension HeliumClock {
    /// Sleeps for the remaining time.
    public func waitForDeadline(at uptime: Duration) async throws {
        let now = self.uptime
        if uptime > now { try await sleep(for: uptime - now) } else { try Task.checkCancellation() }
    }
}

/// The machine's own clocks.
public struct SystemClock: HeliumClock {
    private static let start = ContinuousClock.now

    /// Creates a clock.
    public init() {}

    /// The system's wall clock.
    public var wallTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The system's continuous clock, which continues while the machine sleeps.
    public var uptime: Duration { Self.start.duration(to: .now) }

    /// Waits on the continuous clock, at most a century.
    public func sleep(for duration: Duration) async throws {
        // The system's sleep traps on durations beyond its range.
        try await Task.sleep(for: duration.withinCentury, clock: .continuous)
    }
}
