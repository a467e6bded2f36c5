import HeliumCore

/// The limits of one transfer, and where it stands in its phases. Times are monotonic nanoseconds.
///
/// A class for the reason that ``HeadParser`` is one: each line of a head begins a stage anew.
final class TransferLimits {
    /// The phases in their order.
    enum Stage: Int { case queue, connect, sending, firstByte, idle }

    private(set) var stage = Stage.queue
    /// How long the transfer waited for a connection; `nil` while it does.
    private(set) var queued: UInt64?
    /// When the request could be sent, counted from the start; `nil` before.
    private(set) var ready: UInt64?
    /// Whether the source of the request's body has no bytes at the moment. No phase's limit runs meanwhile, whatever comes
    /// from the server: it may be waiting for these bytes.
    private(set) var isSourceEmpty = false
    private var started: UInt64 = 0
    /// What the limits were made of: mostly the same again.
    private var timeouts: PhaseTimeouts?
    private var limits = (
        queue: UInt64.max, connect: UInt64.max, firstByte: UInt64.max, idle: UInt64.max, total: UInt64.max
    )
    private var phaseDeadline = UInt64.max
    private var totalDeadline = UInt64.max

    /// The next moment at which a limit may have been passed.
    var deadline: UInt64 { min(phaseDeadline, totalDeadline) }

    /// Makes ready for another transfer, which has not begun.
    func reset(_ timeouts: PhaseTimeouts) {
        stage = .queue
        queued = nil
        ready = nil
        isSourceEmpty = false
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

    /// Less is left of the whole than was when the limits were made. Before ``start(now:)``.
    func limitTotal(to remaining: Duration) { totalDeadline = LoopTurn.nanoseconds(remaining) }

    /// Starts the clock.
    func start(now: UInt64) {
        totalDeadline = LoopTurn.deadline(now, totalDeadline)
        started = now
        enter(.queue, now: now)
    }

    /// Enters a stage, or begins it anew.
    func enter(_ stage: Stage, now: UInt64) {
        if stage != .queue, queued == nil { queued = now - min(started, now) }
        if stage == .firstByte, ready == nil { ready = now - min(started, now) }
        self.stage = stage
        let limit =
            switch stage {
            case .queue: limits.queue
            case .connect: limits.connect
            case .firstByte: limits.firstByte
            case .sending, .idle: limits.idle
            }
        phaseDeadline = isSourceEmpty ? .max : LoopTurn.deadline(now, limit)
    }

    /// Stops the phase's clock: the body's consumer holds the transfer back.
    func suspend() { phaseDeadline = .max }

    /// The source of the request's body has no bytes: stops the phase's clock until ``sourceGoesOn(now:)``.
    func sourceIsEmpty() {
        isSourceEmpty = true
        phaseDeadline = .max
    }

    /// The source has bytes again, or has ended: begins the phase anew if it was stopped for that.
    func sourceGoesOn(now: UInt64) {
        guard isSourceEmpty else { return }
        isSourceEmpty = false
        enter(stage, now: now)
    }

    /// Stops the clock of the whole: a stream's head is there.
    func endTotal() { totalDeadline = .max }

    /// The limit that has been passed at `now`, if one has.
    func expired(at now: UInt64) -> TransferPhase? {
        if totalDeadline <= now { return .total }
        return phaseDeadline <= now ? phase : nil
    }

    /// The current stage as errors name it.
    var phase: TransferPhase {
        switch stage {
        case .queue: .queue
        case .connect: .connect
        case .firstByte: .firstByte
        case .sending, .idle: .idle
        }
    }
}
