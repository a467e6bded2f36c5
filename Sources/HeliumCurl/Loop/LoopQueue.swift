import CLibcurl
import Synchronization

/// The jobs, transfers and signals that the loop's thread has enqueued itself. They need neither a lock nor a wake-up.
///
/// `@unchecked Sendable`: the variables are used on the loop thread only, which ``isCurrent`` checks.
final class LoopQueue: @unchecked Sendable {
    // The methods of the arrays call nothing, so that two accesses can't overlap, and need no check.

    /// The jobs that are due.
    @exclusivity(unchecked) var jobs: [UnownedJob] = []
    /// The transfers that jobs have submitted.
    @exclusivity(unchecked) var submitted: [TransferSlot] = []
    /// The channels that have signals.
    @exclusivity(unchecked) var signalled: [ByteChannel] = []

    /// The identifier of the loop's thread; 0 before it runs and after its last turn.
    private let thread = Atomic<UInt>(0)

    /// Whether the calling thread is the loop's and still accepts jobs.
    ///
    /// Relaxed ordering suffices, because no other thread can read its own identifier here.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == helium_current_thread() }

    var isEmpty: Bool { jobs.isEmpty && submitted.isEmpty && signalled.isEmpty }

    /// Marks the calling thread as the loop's.
    func begin() { thread.store(helium_current_thread(), ordering: .relaxed) }

    /// Ends the marking of the loop's thread.
    func end() { thread.store(0, ordering: .relaxed) }
}
