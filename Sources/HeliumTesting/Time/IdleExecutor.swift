internal import Dispatch
internal import HeliumCore
internal import Synchronization

/// Runs the jobs of an operation's tasks, and knows when all of these tasks are suspended.
final class IdleExecutor: TaskExecutor {
    private struct State {
        /// The number of jobs that wait to run or run.
        var jobs = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs += 1 }
        DispatchQueue.global().async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.end()
        }
    }

    /// A job that resumes another one enqueues it before it ends, so the count is 0 only when all tasks are suspended.
    private func end() {
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.jobs -= 1
            guard state.jobs == 0 else { return [] }
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Waits until no job waits or runs.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.jobs > 0 { state.watchers.append(continuation) }
                return state.jobs == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
