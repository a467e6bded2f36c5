import HeliumEssentials
import Synchronization

/// What the loop and its slots share within a turn: the time, the next deadline, the slots that want a look at its end.
///
/// `@unchecked Sendable`: the variables are used on the loop thread alone.
final class LoopTurn: @unchecked Sendable {
    /// Monotonic nanoseconds at the beginning of this turn.
    var now = LoopTurn.read()

    /// No deadline of an active transfer is before this. It may be too early, never too late: deadlines that move back
    /// are not looked at, so an ordinary request costs no search.
    var earliest = UInt64.max

    /// Streaming slots to which something came.
    var touched: [TransferSlot] = []

    /// How often the loop has turned: tells whether an idle client sleeps.
    let turns = Atomic<Int>(0)

    /// Monotonic nanoseconds now.
    static func read() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Whole milliseconds from now until `deadline`, rounded up, for the system's waits; -1 for ever.
    static func milliseconds(until deadline: UInt64) -> Int32 {
        if deadline == .max { return -1 }
        if deadline == 0 { return 0 }
        let now = read()
        return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
    }

    /// A limit in nanoseconds; the largest number for none.
    static func nanoseconds(_ limit: Duration?) -> UInt64 {
        guard let limit else { return .max }
        guard limit > .zero else { return 0 }
        let (seconds, attoseconds) = limit.components
        let (whole, isOver) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isOver ? .max : deadline(whole, UInt64(attoseconds / 1_000_000_000))
    }

    /// `start` plus `limit`, at most the end of time.
    static func deadline(_ start: UInt64, _ limit: UInt64) -> UInt64 {
        let (end, isOver) = start.addingReportingOverflow(limit)
        return isOver ? .max : end
    }
}
