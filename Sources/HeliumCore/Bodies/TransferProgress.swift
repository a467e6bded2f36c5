/// The progress of a body's transfer.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes so far. For an upload, these are the bytes passed to the transport, which may be up to half
    /// a megabyte ahead of the network. For a download, these are the bytes written to the file, including those of an
    /// earlier call.
    public let completed: Int64

    /// The total number of bytes; `nil` if it is unknown.
    public let total: Int64?

    /// Creates a progress.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction, in 0 ... 1; `nil` if the total is unknown.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(completed) / Double($0))) : 1 }
    }
}

/// Decides which progress is reported: the first, then at most one in each ``interval``, and the last.
package struct ProgressThrottle: Sendable {
    /// The minimum time between two reports, except for the last one.
    package static let interval = Duration.milliseconds(100)

    private var lastTime: Duration?
    private var lastCompleted: Int64?

    package init() {}

    /// Returns whether `completed` must be reported at `uptime`.
    package mutating func isDue(_ completed: Int64, at uptime: Duration) -> Bool {
        if let lastTime, uptime - lastTime < Self.interval { return false }
        lastTime = uptime
        lastCompleted = completed
        return true
    }

    /// Returns whether `completed`, the final value, has not been reported yet.
    package mutating func isDueAtEnd(_ completed: Int64) -> Bool {
        defer { lastCompleted = completed }
        return lastCompleted != completed
    }
}

/// Reports the progress that the throttle lets through to a handler.
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
