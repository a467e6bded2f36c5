import CLibcurl
import Synchronization

/// What the loop's thread has put up for itself: needs neither a lock nor a wake-up.
///
/// `@unchecked Sendable`: the variables are used on the loop thread alone, which is what ``isCurrent`` tells.
final class LoopQueue: @unchecked Sendable {
    /// Jobs that are due.
    var jobs: [UnownedJob] = []
    /// Transfers that jobs have asked for.
    var submitted: [TransferSlot] = []

    /// The loop's thread; 0 before it runs and after its last turn.
    private let thread = Atomic<UInt>(0)

    /// Whether the calling thread is the loop's, and still takes jobs.
    ///
    /// Relaxed suffices: no other thread can read its own number here.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == helium_current_thread() }

    var isEmpty: Bool { jobs.isEmpty && submitted.isEmpty }

    /// The calling thread is the loop's from now on.
    func begin() { thread.store(helium_current_thread(), ordering: .relaxed) }

    /// From now on the calling thread is any thread.
    func end() { thread.store(0, ordering: .relaxed) }
}
