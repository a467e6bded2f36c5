/// How far a body has got.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes so far: of an upload those handed to the transport, which may be up to half a megabyte ahead of the network;
    /// of a download those written to the file, what an earlier call left there included.
    public let completed: Int64

    /// Bytes of the whole; `nil` where that is not known.
    public let total: Int64?

    /// A progress.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, in 0 ... 1; `nil` where the total is not known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(completed) / Double($0))) : 1 }
    }
}

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
