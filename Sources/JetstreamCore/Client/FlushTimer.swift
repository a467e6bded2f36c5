internal import HeliumCore

/// The timer with which a fetched scope collects its changes: at most one wait is in progress, regardless of the number of
/// batches and of throttled values. It ends when the scope's hooks, which own the timer, are released.
///
/// It is used in the isolation of the scope.
package final class FlushTimer {
    private weak let scope: Scope?
    private let uptime: () -> Duration
    /// Begins to wait until a time and then calls ``fire()``. Returns a function that ends the wait without the call.
    package var beginWait: ((_ deadline: Duration) -> () -> Void)?
    private var wait: (deadline: Duration, cancel: () -> Void)?

    /// Creates the timer of a scope. It does nothing before ``beginWait`` is set.
    ///
    /// - Parameter uptime: Returns the time of the clock that waits are measured with.
    package init(_ scope: Scope, uptime: @escaping () -> Duration) {
        self.scope = scope
        self.uptime = uptime
    }

    deinit { wait?.cancel() }

    /// Notes the first change of a batch.
    package func batchBegan() {
        guard let scope else { return }
        arm(at: uptime() + scope.changeInterval)
    }

    private func arm(at deadline: Duration) {
        if let wait, wait.deadline <= deadline { return }
        wait?.cancel()
        wait = beginWait.map { (deadline, $0(deadline)) }
    }

    /// Sends what is due, at the end of a wait.
    package func fire() {
        wait = nil
        guard let scope, scope.isAttached else { return }
        scope.flush(at: uptime())
        // The flush may have called code that detached the scope.
        if scope.isAttached, let next = scope.nextDeadline { arm(at: next) }
    }
}

extension FlushTimer {
    /// Creates the timer of a scope that is used on the calling actor. One task waits.
    convenience init(_ scope: Scope, clock: any HeliumClock, isolation: isolated any Actor) {
        self.init(scope, uptime: { clock.uptime })
        let bound = ActorBound(self, isolation: isolation)
        let start: @Sendable (Duration) -> Task<Void, Never> = { deadline in
            Task {
                guard (try? await clock.sleep(for: max(deadline - clock.uptime, .zero))) != nil else { return }
                // Cancelled on the actor if an earlier time was requested or the timer was released.
                await bound.run { if !Task.isCancelled { $0.fire() } }
            }
        }
        beginWait = { deadline in
            let task = start(deadline)
            return { task.cancel() }
        }
    }
}
