internal import HeliumCore

/// The timer with which a fetched scope collects its changes: at most one task waits, regardless of the number of batches
/// and of throttled values. It ends when the scope's hooks, which own it, are released.
///
/// It is used in the isolation of the scope.
final class FlushTimer {
    private weak let scope: Scope?
    private let clock: any HeliumClock
    /// Starts the task of ``arm(at:)``.
    private var start: (@Sendable (Duration) -> Task<Void, Never>)?
    private var wait: (deadline: Duration, task: Task<Void, Never>)?

    /// Creates the timer of a scope that is used on the calling actor.
    init(_ scope: Scope, clock: any HeliumClock, isolation: isolated any Actor) {
        self.scope = scope
        self.clock = clock
        let bound = ActorBound(self, isolation: isolation)
        start = { deadline in
            Task {
                guard (try? await clock.sleep(for: max(deadline - clock.uptime, .zero))) != nil else { return }
                // Cancelled on the actor if an earlier time was requested or the timer was released.
                await bound.run { if !Task.isCancelled { $0.fire() } }
            }
        }
    }

    deinit { wait?.task.cancel() }

    /// Notes the first change of a batch.
    func batchBegan() {
        guard let scope else { return }
        arm(at: clock.uptime + scope.changeInterval)
    }

    private func arm(at deadline: Duration) {
        if let wait, wait.deadline <= deadline { return }
        wait?.task.cancel()
        wait = start.map { (deadline, $0(deadline)) }
    }

    private func fire() {
        wait = nil
        guard let scope, scope.isAttached else { return }
        scope.flush(at: clock.uptime)
        // The flush may have called code that detached the scope.
        if scope.isAttached, let next = scope.nextDeadline { arm(at: next) }
    }
}
