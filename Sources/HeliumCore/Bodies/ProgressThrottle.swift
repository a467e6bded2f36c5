/// Decides which progress is told: the first, then at most one in each ``interval``, and the last.
package struct ProgressThrottle: Sendable {
    /// The least time between two reports but for the last.
    package static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?
    private var lastCompleted: Int64?

    package init() {}

    /// Whether `completed` is to be told at `uptime`.
    package mutating func isDue(_ completed: Int64, at uptime: Duration) -> Bool {
        if let lastTime, uptime - lastTime < Self.interval { return false }
        lastTime = uptime
        lastCompleted = completed
        return true
    }

    /// Whether `completed`, the last, is still to be told.
    package mutating func isDueAtEnd(_ completed: Int64) -> Bool {
        defer { lastCompleted = completed }
        return lastCompleted != completed
    }
}

/// Tells a handler what the throttle lets through.
package struct ProgressReporter: Sendable {
    private let handler: @Sendable (TransferProgress) -> Void
    private let clock: any HeliumClock
    private let total: Int64?
    private var throttle = ProgressThrottle()

    package init(total: Int64?, clock: any HeliumClock, handler: @escaping @Sendable (TransferProgress) -> Void) {
        self.handler = handler
        self.clock = clock
        self.total = total
    }

    package mutating func report(_ completed: Int64) {
        guard throttle.isDue(completed, at: clock.uptime) else { return }
        handler(TransferProgress(completed: completed, total: total))
    }

    package mutating func finish(_ completed: Int64) {
        guard throttle.isDueAtEnd(completed) else { return }
        handler(TransferProgress(completed: completed, total: total))
    }
}
