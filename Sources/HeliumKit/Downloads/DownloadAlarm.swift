internal import HeliumCore
internal import Synchronization

/// Ends a body that is still arriving when a deadline passes.
///
/// It needs one task for the whole body. A race around each chunk would need two tasks per chunk.
final class DownloadAlarm: Sendable {
    private let ring: Ring
    private let task: Task<Void, Never>

    init(ending body: BodyStream, at deadline: Deadline) {
        let ring = Ring()
        self.ring = ring
        task = Task {
            do { try await deadline.wait() } catch { return }
            ring.isLate.store(true, ordering: .releasing)
            body.cancel()
        }
    }

    /// Whether the deadline passed before ``stop()``.
    var hasRung: Bool { ring.isLate.load(ordering: .acquiring) }

    /// Stops the alarm, because the body has ended.
    func stop() { task.cancel() }

    private final class Ring: Sendable {
        let isLate = Atomic<Bool>(false)
    }
}
