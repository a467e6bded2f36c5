/// The two times that a client needs, and a way to wait: injectable, so that tests decide what time it is.
///
/// `SystemClock` is the default; `TestClock` (module `HeliumTesting`) stands still until told otherwise.
public protocol HeliumClock: Sendable {
    /// Wall-clock time since 1970-01-01T00:00:00Z: for time stamps. It may jump.
    var wallTime: Duration { get }

    /// Time since an arbitrary start, never going back: for deadlines and durations.
    var uptime: Duration { get }

    /// Waits.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(for duration: Duration) async throws
}
