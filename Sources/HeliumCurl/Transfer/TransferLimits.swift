import HeliumCore

/// The limits and the current phase of one transfer. Times are monotonic nanoseconds.
///
/// A class for the same reason as ``HeadParser``: each line of a head restarts a stage.
final class TransferLimits {
    /// The phases in their order.
    enum Stage: Int { case queue, connect, sending, firstByte, idle }

    private(set) var stage = Stage.queue
    /// The time that the transfer waited for a connection; `nil` while it waits.
    private(set) var queued: UInt64?
    /// Whether the source of the request's body currently has no bytes. Meanwhile no phase's limit runs, even when
    /// bytes arrive from the server, because the server may be waiting for the body.
    private(set) var isSourceEmpty = false
    /// Whether the consumer of the body pauses the transfer. Meanwhile no phase's limit runs either.
    private var isSuspended = false
    private var started: UInt64 = 0
    /// The time at which the stage was entered or restarted last.
    private(set) var stageStart: UInt64 = 0
    /// The timeouts from which the limits were computed. They are mostly the same for the next transfer.
    private var timeouts: PhaseTimeouts?
    private var limits = (
        queue: UInt64.max, connect: UInt64.max, firstByte: UInt64.max, idle: UInt64.max, total: UInt64.max
    )
    private var phaseDeadline = UInt64.max
    private var totalDeadline = UInt64.max

    /// The next time at which a limit can expire.
    var deadline: UInt64 { min(phaseDeadline, totalDeadline) }

    /// Prepares for another transfer, which has not started.
    func reset(_ timeouts: PhaseTimeouts) {
        stage = .queue
        queued = nil
        isSourceEmpty = false
        isSuspended = false
        started = 0
        phaseDeadline = .max
        if timeouts != self.timeouts {
            self.timeouts = timeouts
            limits.queue = LoopTurn.nanoseconds(timeouts.queue)
            limits.connect = LoopTurn.nanoseconds(timeouts.connect)
            limits.firstByte = LoopTurn.nanoseconds(timeouts.firstByte)
            limits.idle = LoopTurn.nanoseconds(timeouts.idle)
            limits.total = LoopTurn.nanoseconds(timeouts.total)
        }
        totalDeadline = limits.total
    }

    /// Sets the remaining total time, which is less than when the limits were computed. Call it before ``start(now:)``.
    func limitTotal(to remaining: Duration) { totalDeadline = LoopTurn.nanoseconds(remaining) }

    /// The time from the start to `time`.
    func elapsed(at time: UInt64) -> UInt64 { time - min(started, time) }

    /// The time from the start to `time`, which may be before it.
    func difference(to time: UInt64) -> Duration {
        time >= started ? .nanoseconds(time - started) : .zero - .nanoseconds(started - time)
    }

    /// Starts the clock.
    func start(now: UInt64) {
        totalDeadline = LoopTurn.deadline(now, totalDeadline)
        started = now
        enter(.queue, now: now)
    }

    /// Enters a stage, or restarts it.
    func enter(_ stage: Stage, now: UInt64) {
        if stage != .queue, queued == nil { queued = now - min(started, now) }
        self.stage = stage
        stageStart = now
        let limit =
            switch stage {
            case .queue: limits.queue
            case .connect: limits.connect
            case .firstByte: limits.firstByte
            case .sending, .idle: limits.idle
            }
        phaseDeadline = isSourceEmpty || isSuspended ? .max : LoopTurn.deadline(now, limit)
    }

    /// Stops the clock of the phase until ``resume()``, because the consumer of the body pauses the transfer.
    func suspend() {
        isSuspended = true
        phaseDeadline = .max
    }

    /// Lets the clock run again, because the consumer of the body wants more. Enter the stage again after it.
    func resume() { isSuspended = false }

    /// Stops the clock of the phase until ``sourceGoesOn(now:)``, because the source of the request's body has no
    /// bytes.
    func sourceIsEmpty() {
        isSourceEmpty = true
        phaseDeadline = .max
    }

    /// Restarts the phase if it was stopped for an empty source. Called when the source has bytes again or has ended.
    func sourceGoesOn(now: UInt64) {
        guard isSourceEmpty else { return }
        isSourceEmpty = false
        enter(stage, now: now)
    }

    /// Stops the total clock when the head of a stream has arrived.
    func endTotal() { totalDeadline = .max }

    /// Returns the limit that has expired at `now`, or `nil`.
    func expired(at now: UInt64) -> TransferPhase? {
        if totalDeadline <= now { return .total }
        return phaseDeadline <= now ? phase : nil
    }

    /// The current stage as errors report it.
    var phase: TransferPhase {
        switch stage {
        case .queue: .queue
        case .connect: .connect
        case .firstByte: .firstByte
        case .sending, .idle: .idle
        }
    }
}
