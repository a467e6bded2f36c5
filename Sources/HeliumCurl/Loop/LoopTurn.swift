import HeliumCore
import HeliumEssentials
import Synchronization

/// The state that the loop and its slots share in a turn: the time, the next deadline, and the slots to process at its
/// end.
///
/// `@unchecked Sendable`: the variables are used on the loop thread only.
final class LoopTurn: @unchecked Sendable {
    /// The monotonic time in nanoseconds at the start of this turn.
    var now = LoopTurn.read()

    /// A lower bound of the deadlines of all active transfers. It may be too early, but never too late. Deadlines that
    /// move to a later time do not update it, so an ordinary request needs no search.
    var earliest = UInt64.max

    /// The streaming slots that received bytes or a head.
    ///
    /// Swift does not check its accesses. The methods of the array call nothing that refers to it.
    @exclusivity(unchecked) var touched: [TransferSlot] = []

    /// The number of turns of the loop. It shows whether an idle client sleeps.
    let turns = Atomic<Int>(0)

    /// Returns the current monotonic time in nanoseconds.
    static func read() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Returns the whole milliseconds from now until `deadline`, rounded up, for system waits; -1 for no deadline.
    static func milliseconds(until deadline: UInt64) -> Int32 {
        if deadline == .max { return -1 }
        if deadline == 0 { return 0 }
        let now = read()
        return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
    }

    /// Converts a limit to nanoseconds; the largest number for `nil`.
    static func nanoseconds(_ limit: Duration?) -> UInt64 {
        guard let limit else { return .max }
        guard limit > .zero else { return 0 }
        let (seconds, attoseconds) = limit.withinCentury.components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// Returns `start` plus `limit`, at most the largest number.
    static func deadline(_ start: UInt64, _ limit: UInt64) -> UInt64 {
        let (end, isOver) = start.addingReportingOverflow(limit)
        return isOver ? .max : end
    }
}
