/// The time on a clock at which a call must have ended.
public struct Deadline: Sendable {
    private let clock: any HeliumClock
    private let instant: Duration?

    /// Creates a deadline `limit` from now; `nil` sets none.
    public init(after limit: Duration?, clock: any HeliumClock) {
        self.init(after: limit, from: limit == nil ? .zero : clock.uptime, clock: clock)
    }

    /// Creates a deadline `limit` after an uptime of the clock.
    package init(after limit: Duration?, from start: Duration, clock: any HeliumClock) {
        self.clock = clock
        instant = limit.map { start + $0.withinCentury }
    }

    /// The remaining time, never negative; `nil` if there is no deadline.
    public var remaining: Duration? { instant.map { max($0 - clock.uptime, .zero) } }

    /// Whether no time is left.
    public var hasPassed: Bool { remaining == .zero }

    /// Runs `operation` until it ends, the deadline passes, or the calling task is cancelled, whichever comes first.
    ///
    /// In the latter two cases the operation is cancelled and not awaited, so an operation that ignores cancellation
    /// can't block its caller.
    ///
    /// - Parameters:
    ///   - closing: Ends the race when it is settled. Default: `nil`.
    ///   - operation: The operation.
    /// - Throws: The error of `operation`; ``DeadlineExceeded``; `CancellationError`; ``ClientClosed``.
    package func race<Value: Sendable>(
        closing: Signal<Void>? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let instant else { return try await Race<Value>().run(operation, timer: nil, closing: closing) }
        guard !hasPassed else { throw DeadlineExceeded() }
        let timer: @Sendable () async throws -> Void = { [clock] in try await clock.waitForDeadline(at: instant) }
        return try await Race<Value>().run(operation, timer: timer, closing: closing)
    }

    /// Waits until the deadline passes. Without a deadline, waits until the calling task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    package func wait() async throws {
        if let instant {
            try await clock.waitForDeadline(at: instant)
        } else {
            try await Signal<Void>().value()
        }
    }

    /// Returns the earlier of this deadline and one `limit` from now.
    package func limited(to limit: Duration) -> Deadline {
        Deadline(after: min(limit, remaining ?? limit), clock: clock)
    }
}

/// The error of a deadline that has passed.
package struct DeadlineExceeded: Error {
    package init() {}
}
