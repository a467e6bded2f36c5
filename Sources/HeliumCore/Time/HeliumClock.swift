import HeliumEssentials

/// The two times that a client needs, and two ways to wait: injectable, so that tests decide what time it is.
///
/// `SystemClock` is the default; `TestClock` (module `HeliumTesting`) stands still until told otherwise.
public protocol HeliumClock: Sendable {
    /// Wall-clock time since 1970-01-01T00:00:00Z: for time stamps. It may jump.
    var wallTime: Duration { get }

    /// Time since an arbitrary start, never going back: for deadlines and durations.
    var uptime: Duration { get }

    /// Waits: a pause, which is part of what the caller does.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(for duration: Duration) async throws

    /// Waits until `uptime` is reached: a time limit, which something else races with. Returns at once if it has passed.
    ///
    /// The default sleeps for the difference. A clock for tests that skips pauses must not skip time limits.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func waitForDeadline(at uptime: Duration) async throws
}

extension HeliumClock {
    /// Sleeps until then.
    public func waitForDeadline(at uptime: Duration) async throws {
        let remaining = uptime - self.uptime
        if remaining > .zero { try await sleep(for: remaining) } else { try Task.checkCancellation() }
    }
}

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
