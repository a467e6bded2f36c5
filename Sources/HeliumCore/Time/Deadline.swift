/// A point on a clock by which a call must be over.
public struct Deadline: Sendable {
    private let clock: any HeliumClock
    private let instant: Duration?

    /// The deadline `limit` from now; `nil` sets none.
    public init(after limit: Duration?, clock: any HeliumClock) {
        self.init(after: limit, from: limit == nil ? .zero : clock.uptime, clock: clock)
    }

    /// The deadline `limit` after an uptime of the clock.
    package init(after limit: Duration?, from start: Duration, clock: any HeliumClock) {
        self.clock = clock
        // A century is for ever, and can be added without overflow.
        instant = limit.map { start + min($0, .seconds(100 * 366 * 86_400)) }
    }

    /// The time left, not below zero; `nil` where there is no deadline.
    public var remaining: Duration? { instant.map { max($0 - clock.uptime, .zero) } }

    /// Whether no time is left.
    public var hasPassed: Bool { remaining == .zero }

    /// Runs `operation` until it ends, the deadline passes, or the calling task is cancelled, whichever comes first.
    ///
    /// The operation is cancelled in the latter two cases and not waited for: one that ignores cancellation can't hold
    /// its caller.
    ///
    /// - Parameters:
    ///   - closing: Ends the race when it is settled. Default: nothing.
    ///   - operation: The operation.
    /// - Throws: What `operation` throws; ``DeadlineExceeded``; `CancellationError`; ``ClientClosed``.
    package func race<Value: Sendable>(
        closing: Signal<Void>? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let instant else { return try await Race<Value>().run(operation, timer: nil, closing: closing) }
        guard !hasPassed else { throw DeadlineExceeded() }
        let timer: @Sendable () async throws -> Void = { [clock] in try await clock.waitForDeadline(at: instant) }
        return try await Race<Value>().run(operation, timer: timer, closing: closing)
    }

    /// The earlier of this deadline and one `limit` from now.
    package func limited(to limit: Duration) -> Deadline {
        Deadline(after: min(limit, remaining ?? limit), clock: clock)
    }
}

/// A deadline passed.
package struct DeadlineExceeded: Error {
    package init() {}
}
